import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelServingCrd } from '../../src/api/index.ts';
import { anAge, cellsOf, missingKubectl, openShell, type Shell, titled } from './shell.ts';

const modelServing = (name: string, change: object = {}): object => ({
  apiVersion: 'workload.serving.volcano.sh/v1alpha1',
  kind: 'ModelServing',
  metadata: { name },
  spec: {
    replicas: 2,
    template: {
      roles: [
        {
          name: 'decode',
          replicas: 1,
          workerReplicas: 0,
          entryTemplate: { spec: { containers: [{ name: 'engine', image: 'engine:v1' }] } },
        },
      ],
    },
    ...change,
  },
});
const full = 'modelserving.workload.serving.volcano.sh';
const age = expect.stringMatching(anAge);

describe.skipIf(missingKubectl !== undefined)(titled('kubectl and a custom kind with columns and scale'), () => {
  let shell: Shell;
  beforeAll(async () => {
    shell = await openShell();
    await shell.prints('create -f -', { stdin: modelServingCrd });
    await shell.prints('wait --for=condition=Established --timeout=10s crd/modelservings.workload.serving.volcano.sh');
  });
  afterAll(() => shell.close());

  const create = (name: string, change?: object): Promise<string> =>
    shell.prints('create -f -', { stdin: modelServing(name, change) });
  const field = (name: string, path: string): Promise<string> =>
    shell.prints(`get modelserving ${name} -o jsonpath={${path}}`);
  const patchStatus = (name: string, status: object): Promise<string> =>
    shell.prints(`patch modelserving ${name} --subresource=status --type=merge -p`, {
      args: [JSON.stringify({ status })],
    });

  it('is in api-resources as soon as it is established', async () => {
    const rows = cellsOf(await shell.prints('api-resources --api-group=workload.serving.volcano.sh'));
    expect(rows.map((row) => row.filter((cell) => cell !== ''))).toContainEqual([
      'modelservings',
      'workload.serving.volcano.sh/v1alpha1',
      'true',
      'ModelServing',
    ]);
    expect(cellsOf(await shell.prints('get crds'))[0]).toEqual(['NAME', 'CREATED AT']);
  });

  it('apply says created and configured, and writes nothing where nothing changes', async () => {
    expect(await shell.prints('apply -f -', { stdin: modelServing('applied') })).toBe(`${full}/applied created\n`);
    const version = await field('applied', '.metadata.resourceVersion');
    // kubectl says so of every custom object whose lists hold defaults: it compares them as a whole.
    expect(await shell.prints('apply -f -', { stdin: modelServing('applied') })).toBe(`${full}/applied configured\n`);
    expect(await field('applied', '.metadata.resourceVersion')).toBe(version);
    const stdin = modelServing('applied', { replicas: 3 });
    expect(await shell.prints('apply -f -', { stdin })).toBe(`${full}/applied configured\n`);
    expect(await field('applied', '.spec.replicas')).toBe('3');
    expect(await field('applied', '.metadata.generation')).toBe('2');
  });

  it('apply names unknown fields and values that the schema refuses', async () => {
    const unknown = await shell.kubectl('apply -f -', { stdin: modelServing('typo', { replcas: 1 }) });
    expect(unknown.stderr).toContain('strict decoding error: unknown field "spec.replcas"');
    const refused = await shell.kubectl('apply -f -', { stdin: modelServing('refused', { recoveryPolicy: 'Hope' }) });
    expect(refused.stderr).toContain(
      'The ModelServing "refused" is invalid: \n* spec.recoveryPolicy: Unsupported value: "Hope": supported values: ',
    );
  });

  it('get shows its columns, empty where the status is', async () => {
    await create('shown');
    expect(await shell.prints('get modelserving shown')).toMatch(/^shown +\d+s$/m);
    await patchStatus('shown', { replicas: 2, availableReplicas: 1, updatedReplicas: 2 });
    expect(cellsOf(await shell.prints('get modelserving shown'))).toEqual([
      ['NAME', 'REPLICAS', 'AVAILABLE', 'UPDATED', 'AGE'],
      ['shown', '2', '1', '2', age],
    ]);
    expect(await shell.prints('get modelserving shown -o yaml')).toContain('availableReplicas: 1\n');
  });

  it('get -w follows its columns', async () => {
    await create('watched');
    const seen = await shell.printsUntil('get modelserving watched -w', /^watched +2 +1 +1 /m, () =>
      patchStatus('watched', { replicas: 2, availableReplicas: 1, updatedReplicas: 1 }),
    );
    expect(cellsOf(seen).filter(([first]) => first === 'NAME')).toHaveLength(1);
  });

  it('scale reads and writes its replicas', async () => {
    await create('scaled');
    expect(await shell.prints('scale modelserving scaled --replicas=4')).toBe(`${full}/scaled scaled\n`);
    expect(await field('scaled', '.spec.replicas')).toBe('4');
    expect(await shell.prints('scale modelserving scaled --replicas=5 --current-replicas=4')).toBe(
      `${full}/scaled scaled\n`,
    );
    const wrong = await shell.kubectl('scale modelserving scaled --replicas=6 --current-replicas=4');
    expect(wrong.stderr).toContain('Expected replicas to be 4, was 5');
    const scale = JSON.parse(await shell.prints('get modelserving scaled --subresource=scale -o json'));
    expect(scale).toMatchObject({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 5 } });
  });

  it('patch says that a strategic merge is not for custom kinds, and takes merge and JSON patches', async () => {
    await create('patched');
    const strategic = await shell.kubectl('patch modelserving patched -p', { args: ['{"spec":{"replicas":3}}'] });
    expect(strategic.stderr).toContain(
      'application/strategic-merge-patch+json is not supported by workload.serving.volcano.sh/v1alpha1, Kind=ModelServing',
    );
    expect(strategic.stderr).toContain('application/merge-patch+json');
    await shell.prints('patch modelserving patched --type=merge -p', { args: ['{"spec":{"replicas":3}}'] });
    const json = '[{"op":"test","path":"/spec/replicas","value":3},{"op":"replace","path":"/spec/replicas","value":5}]';
    await shell.prints('patch modelserving patched --type=json -p', { args: [json] });
    expect(await field('patched', '.spec.replicas')).toBe('5');
    const failed = await shell.kubectl('patch modelserving patched --type=json -p', { args: [json] });
    expect(failed.code).toBe(1);
  });

  it('label, annotate, edit and replace change it', async () => {
    await create('changed');
    await shell.prints('label modelserving changed tier=gold');
    await shell.prints('annotate modelserving changed note=x');
    const editor = await shell.script('editor', 'sed -i "s/replicas: 2/replicas: 3/" "$1"');
    expect(await shell.prints('edit modelserving changed', { env: { KUBE_EDITOR: editor } })).toBe(
      `${full}/changed edited\n`,
    );
    const edited = JSON.parse(await shell.prints('get modelserving changed -o json'));
    expect(edited).toMatchObject({
      metadata: { labels: { tier: 'gold' }, annotations: { note: 'x' } },
      spec: { replicas: 3 },
    });
    expect(await shell.prints('replace -f -', { stdin: modelServing('changed', { replicas: 1 }) })).toBe(
      `${full}/changed replaced\n`,
    );
    expect(await shell.prints('get modelserving -l tier=gold -o name')).toBe('');
  });

  it('describe and explain show its fields', async () => {
    await create('described');
    const text = await shell.prints('describe modelserving described');
    expect(text).toMatch(/^Kind: +ModelServing$/m);
    expect(text).toMatch(/^ {2}Replicas: +2$/m);
    expect(text).toMatch(/^Events: +<none>$/m);
    const explained = await shell.prints('explain modelserving.spec');
    expect(explained).toMatch(/^GROUP: +workload\.serving\.volcano\.sh$/m);
    expect(explained).toMatch(/^ {2}replicas\t<integer>\n {4}Number of ServingGroups\.$/m);
  });

  it('wait sees its conditions and fields', async () => {
    await create('awaited');
    const available = shell.prints('wait --for=condition=Available --timeout=20s modelserving/awaited');
    const condition = {
      type: 'Available',
      status: 'True',
      reason: 'R',
      message: 'm',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await patchStatus('awaited', { conditions: [condition] });
    expect(await available).toBe(`${full}/awaited condition met\n`);
    expect(await shell.prints('wait --for=jsonpath={.spec.replicas}=2 --timeout=5s modelserving/awaited')).toBe(
      `${full}/awaited condition met\n`,
    );
  });

  it('delete removes it at once, and waits for a finalizer', async () => {
    await create('leaving');
    expect(await shell.prints('delete modelserving leaving')).toMatch(new RegExp(`^${full} "leaving" deleted`));
    await create('held');
    const finalizers = (value: readonly string[]): Promise<string> =>
      shell.prints('patch modelserving held --type=merge -p', {
        args: [JSON.stringify({ metadata: { finalizers: value } })],
      });
    await finalizers(['example.com/held']);
    const deletion = shell.prints('delete modelserving held');
    await shell.prints('wait --for=jsonpath={.metadata.deletionTimestamp} --timeout=10s modelserving/held');
    await finalizers([]);
    expect(await deletion).toMatch(new RegExp(`^${full} "held" deleted`));
  });
});
