import { fileURLToPath } from 'node:url';
import type { Bed } from '../../tools/control-plane/bed.ts';
import { kubectl } from '../../tools/control-plane/plane.ts';
import { until } from './wait.ts';

export const crdFile: string = fileURLToPath(
  new URL('../../charts/modelserving/crds/modelservings.yaml', import.meta.url),
);

/** Applies the CustomResourceDefinition as a user does, and waits until ModelServings are served. */
export const installCrd = async (bed: Bed): Promise<void> => {
  await kubectl(bed, ['apply', '-f', crdFile]);
  await until('ModelServings to be served', () =>
    kubectl(bed, ['get', 'modelservings']).then(
      () => true,
      () => false,
    ),
  );
};
