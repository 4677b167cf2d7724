import { describe, expect, it } from 'vitest';
import { entryLabel, type ModelServing, nameLabel, type PluginSpec, renderPod } from '../api/index.ts';
import type { Pod } from '../objects/index.ts';
import { buildPluginChain, builtinPlugins, type Plugin, type PluginRegistry, registryOf } from './index.ts';

const role = {
  name: 'decode',
  workerReplicas: 1,
  entryTemplate: { metadata: { labels: { app: 'llm' } }, spec: { containers: [{ name: 'c', image: 'engine:v1' }] } },
  workerTemplate: { spec: { containers: [{ name: 'c', image: 'engine:v1' }] } },
};

const modelServing: ModelServing = {
  metadata: { name: 'ms', namespace: 'default', uid: 'u1' },
  spec: { template: { roles: [role] } },
};

const request = (index: number) => ({ modelServing, group: 3, role: 'decode', instance: 0, index });

const rendered = (index: number): Pod =>
  renderPod({
    ...request(index),
    role,
    revision: 'rev',
    roleTemplateHash: 'hash',
    schedulerName: 'volcano',
    inPodGroup: true,
  });

const made = (
  specs: readonly PluginSpec[],
  options: { readonly index?: number; readonly registry?: PluginRegistry } = {},
): Pod => {
  const chain = buildPluginChain(specs, options.registry ?? builtinPlugins);
  if (chain.state === 'broken') throw new Error(chain.problem.message);
  const index = options.index ?? 0;
  const result = chain.render(rendered(index), request(index));
  if (result.state === 'failed') throw new Error(result.problem.message);
  return result.pod;
};

const problemOf = (...specs: readonly PluginSpec[]): string => {
  const chain = buildPluginChain(specs, builtinPlugins);
  return chain.state === 'broken' ? chain.problem.message : 'none';
};

/** Appends its config to the annotation `trace`. */
const trace: Plugin = {
  name: 'trace',
  configure: (config) => ({
    state: 'ready',
    change: (pod) => {
      const before = pod.metadata.annotations?.['trace'] ?? '';
      return {
        ...pod,
        metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, trace: before + String(config) } },
      };
    },
  }),
};

const traces = (specs: readonly PluginSpec[], index: number): string | undefined =>
  made(specs, { index, registry: registryOf(trace) }).metadata.annotations?.['trace'];

describe('a chain of plugins', () => {
  it('runs in the order of the spec, the same plugin as often as it is listed', () => {
    const specs = ['a', 'b', 'c'].map((config) => ({ name: 'trace', type: 'BuiltIn', config }));
    expect(traces(specs, 0)).toBe('abc');
    expect(traces(specs.toReversed(), 0)).toBe('cba');
  });

  it('runs where the scope says: Roles, and entry, worker or all', () => {
    const specs: readonly PluginSpec[] = [
      { name: 'trace', config: 'a', scope: { target: 'All' } },
      { name: 'trace', config: 'e', scope: { target: 'Entry' } },
      { name: 'trace', config: 'w', scope: { target: 'Worker', roles: ['decode', 'prefill'] } },
      { name: 'trace', config: 'p', scope: { roles: ['prefill'] } },
      { name: 'trace', config: '-', scope: { roles: [], target: '' } },
      { name: 'trace', config: '?', scope: { target: 'entry' } },
    ];
    expect(traces(specs, 0)).toBe('ae-');
    expect(traces(specs, 1)).toBe('aw-');
  });

  it('leaves a Pod without plugins as it is', () => {
    expect(made([])).toEqual(rendered(0));
  });

  it('never lets go of what the operator knows a Pod by', () => {
    const thief: Plugin = {
      name: 'thief',
      configure: () => ({
        state: 'ready',
        change: (pod) => ({
          ...pod,
          metadata: {
            name: 'mine',
            namespace: 'elsewhere',
            labels: { [nameLabel]: 'other', [entryLabel]: 'true', app: 'stolen' },
            annotations: { note: 'kept', 'modelserving.volcano.sh/inplace-update-state': '{}' },
          },
        }),
      }),
    };
    const worker = made([{ name: 'thief' }], { index: 1, registry: registryOf(thief) });
    const before = rendered(1);
    expect(worker.metadata).toEqual({
      ...before.metadata,
      labels: { ...before.metadata.labels, app: 'stolen' },
      annotations: { ...before.metadata.annotations, note: 'kept' },
    });
    expect(worker.metadata.labels).not.toHaveProperty(entryLabel);
  });
});

describe('a chain that cannot be used', () => {
  it('says which plugin, why, and what to do', () => {
    expect(problemOf({ name: 'lws-standard-labels' }, { name: 'nope' })).toBe(
      'plugin "nope" (spec.plugins[1]) is not known (known are: demo-pod-tweaks, lws-standard-labels); correct its name, or remove it',
    );
    expect(problemOf({ name: 'demo-pod-tweaks', type: 'Webhook' })).toMatch(/has the type "Webhook".*correct its type/);
    expect(problemOf({ name: 'demo-pod-tweaks', config: { annotations: { a: 1 } } })).toMatch(
      /cannot use its config: annotations must be an object of strings; correct the config/,
    );
    expect(problemOf({ name: 'demo-pod-tweaks', type: '' })).toBe('none');
  });

  it('names the plugin that throws, and the Pod', () => {
    const thrower: Plugin = {
      name: 'thrower',
      configure: () => ({
        state: 'ready',
        change: () => {
          throw new Error('no such GPU');
        },
      }),
    };
    const chain = buildPluginChain([{ name: 'thrower' }], registryOf(thrower));
    const result = chain.state === 'ready' ? chain.render(rendered(0), request(0)) : chain;
    expect(result).toMatchObject({
      state: 'failed',
      problem: { plugin: 'thrower', message: expect.stringMatching(/failed on Pod ms-3-decode-0-0: no such GPU/) },
    });
  });
});

describe('demo-pod-tweaks', () => {
  const config = {
    runtimeClassName: 'nvidia',
    annotations: { team: 'a' },
    env: [{ name: 'MODE', value: 'fast' }],
    other: true,
  };

  it('sets the runtime class, adds annotations and appends variables', () => {
    const pod = made([{ name: 'demo-pod-tweaks', config }]);
    expect(pod.spec.runtimeClassName).toBe('nvidia');
    expect(pod.metadata.annotations).toMatchObject({ team: 'a', 'volcano.sh/task-spec': 'decode-0' });
    expect(pod.spec.containers[0]?.env?.map(({ name }) => name)).toEqual([
      'GROUP_SIZE',
      'ENTRY_ADDRESS',
      'WORKER_INDEX',
      'MODE',
    ]);
  });

  it('takes null and nothing as no tweak, and refuses what is no tweak', () => {
    expect(made([{ name: 'demo-pod-tweaks', config: { env: null, runtimeClassName: null } }])).toEqual(rendered(0));
    expect(made([{ name: 'demo-pod-tweaks' }])).toEqual(rendered(0));
    for (const wrong of ['text', [], { env: {} }, { env: [{ value: 'x' }] }, { runtimeClassName: 1 }]) {
      expect(problemOf({ name: 'demo-pod-tweaks', config: wrong })).toMatch(/cannot use its config/);
    }
  });
});
