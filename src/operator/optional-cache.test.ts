import { describe, expect, it } from 'vitest';
import { volcanoCrd } from '../../test/support/volcano.ts';
import type { CustomResourceDefinition } from '../objects/index.ts';
import { servedSchema } from './optional-cache.ts';

const established: CustomResourceDefinition = {
  ...volcanoCrd('flat'),
  status: { conditions: [{ type: 'Established', status: 'True' }] },
};

describe('whether a kind is there', () => {
  it('is told by the schema of the version that is served', () => {
    expect(servedSchema(established, 'v1beta1')?.properties).toHaveProperty('spec');
    expect(servedSchema(established, 'v1')).toBeUndefined();
  });

  it('is no while the CRD is not established, and from its deletion on', () => {
    expect(servedSchema(volcanoCrd('flat'), 'v1beta1')).toBeUndefined();
    const { metadata } = established;
    const going = { ...established, metadata: { ...metadata, deletionTimestamp: '2026-10-01T00:00:00Z' } };
    expect(servedSchema(going, 'v1beta1')).toBeUndefined();
  });

  it('is no where the version is in the CRD and not served', () => {
    const versions = established.spec.versions.map((version) => ({ ...version, served: false }));
    expect(servedSchema({ ...established, spec: { ...established.spec, versions } }, 'v1beta1')).toBeUndefined();
  });
});
