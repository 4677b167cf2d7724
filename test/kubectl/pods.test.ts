import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAge, cellsOf, missingKubectl, openShell, type Shell, titled } from './shell.ts';

const container = (image: string): object => ({ name: 'engine', image, env: [{ name: 'A', value: 'b' }] });
const pod = (name: string, change: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'engine' } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [container('engine:v1'), { name: 'side', image: 'side:v1' }],
    ...change,
  },
});
const single = (image: string): object => ({ containers: [container(image)] });
const age = expect.stringMatching(anAge);

describe.skipIf(missingKubectl !== undefined)(titled('kubectl and Pods'), () => {
  let shell: Shell;
  beforeAll(async () => {
    shell = await openShell({
      nodes: [{ name: 'node-1' }],
      images: {
        'engine:v1': { log: ['loading', 'serving'] },
        'crash:v1': { exitsAfterMs: 100, exitCode: 1 },
        'missing:v1': { pullError: 'manifest unknown' },
        'done:v1': { exitsAfterMs: 100, exitCode: 0 },
      },
    });
  });
  afterAll(() => shell.close());

  const ready = async (name: string, change: object = {}): Promise<void> => {
    await shell.prints('apply -f -', { stdin: pod(name, change) });
    await shell.prints(`wait --for=condition=Ready --timeout=20s pod/${name}`);
  };

  it('apply says created, unchanged and configured', async () => {
    expect(await shell.prints('apply -f -', { stdin: pod('applied') })).toBe('pod/applied created\n');
    expect(await shell.prints('apply -f -', { stdin: pod('applied') })).toBe('pod/applied unchanged\n');
    const changed = { ...pod('applied'), metadata: { name: 'applied', labels: { app: 'other' } } };
    expect(await shell.prints('apply -f -', { stdin: changed })).toBe('pod/applied configured\n');
    expect(await shell.prints('get pod applied -o jsonpath={.metadata.labels.app}')).toBe('other');
  });

  it('apply refuses unknown fields by name, and immutable ones with the reason', async () => {
    const unknown = await shell.kubectl('apply -f -', {
      stdin: pod('typo', { containers: [{ name: 'a', image: 'i', imagee: 'x' }] }),
    });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('strict decoding error: unknown field "spec.containers[0].imagee"');
    await shell.prints('apply -f -', { stdin: pod('fixed') });
    const immutable = await shell.kubectl('apply -f -', { stdin: pod('fixed', { hostNetwork: true }) });
    expect(immutable.stderr).toContain(
      'The Pod "fixed" is invalid: spec: Forbidden: pod updates may not change fields other than',
    );
  });

  it('get shows a table, with addresses and nodes when wide', async () => {
    await ready('shown');
    expect(cellsOf(await shell.prints('get pod shown'))).toEqual([
      ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'],
      ['shown', '2/2', 'Running', '0', age],
    ]);
    expect(cellsOf(await shell.prints('get pods -o wide --field-selector=metadata.name=shown'))).toEqual([
      ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE', 'IP', 'NODE', 'NOMINATED NODE', 'READINESS GATES'],
      ['shown', '2/2', 'Running', '0', age, expect.stringMatching(/^10\.\d+\.\d+\.\d+$/), 'node-1', '<none>', '<none>'],
    ]);
    expect(await shell.prints('get pods -o name -l app=engine')).toContain('pod/shown\n');
  });

  it('get prints the object as YAML and JSON', async () => {
    await ready('printed');
    const yaml = await shell.prints('get pod printed -o yaml');
    expect(yaml).toMatch(/^apiVersion: v1\nkind: Pod\nmetadata:\n/);
    expect(yaml).toContain('\n  phase: Running\n');
    expect(JSON.parse(await shell.prints('get pods printed -o json'))).toMatchObject({
      kind: 'Pod',
      metadata: { name: 'printed' },
    });
    expect(JSON.parse(await shell.prints('get pods -o json'))).toMatchObject({
      kind: 'List',
      items: expect.any(Array),
    });
  });

  it('get shows what a Pod in trouble is doing', async () => {
    for (const [name, image] of [
      ['crash', 'crash:v1'],
      ['missing', 'missing:v1'],
    ] as const) {
      await shell.prints('create -f -', { stdin: pod(name, single(image)) });
    }
    await shell.prints('create -f -', { stdin: pod('done', { ...single('done:v1'), restartPolicy: 'Never' }) });
    await shell.printsUntil('get pods -w', /^crash +0\/1 +Error +1 \(\d+s ago\) /m);
    await shell.printsUntil('get pods -w', /^missing +0\/1 +ErrImagePull +0 /m);
    await shell.printsUntil('get pods -w', /^done +0\/1 +Completed +0 /m);
  });

  it('get -w goes on under one header while a Pod is changed and deleted', async () => {
    await ready('watched');
    const seen = await shell.printsUntil('get pod watched -w', /Terminating/, async () => {
      await shell.prints('label pod watched seen=true');
      await shell.prints('delete pod watched --wait=false');
    });
    const rows = cellsOf(seen);
    expect(rows.filter(([first]) => first === 'NAME')).toHaveLength(1);
    expect(rows[1]).toEqual(['watched', '2/2', 'Running', '0', age]);
    expect(rows.at(-1)).toEqual(['watched', '2/2', 'Terminating', '0', age]);
  });

  it('describe tells the story with events', async () => {
    await ready('described');
    const text = await shell.prints('describe pod described');
    expect(text).toMatch(/^Name: +described$/m);
    expect(text).toMatch(/^Node: +node-1\//m);
    expect(text).toMatch(/^ {4}Image: +engine:v1$/m);
    expect(text).toMatch(/Scheduled +\d+s +default-scheduler +Successfully assigned default\/described to node-1/);
    expect(text).toMatch(/Started +\d+s +kubelet +Started container engine/);
  });

  it('logs prints the lines of a container and names those there are', async () => {
    await ready('talks');
    expect(await shell.prints('logs talks -c engine')).toBe('loading\nserving\n');
    expect(await shell.prints('logs talks -c engine --tail=1')).toBe('serving\n');
    const wrong = await shell.kubectl('logs talks -c nothing');
    expect(wrong.stderr).toContain('container nothing is not valid for pod talks');
    const previous = await shell.kubectl('logs talks -c engine --previous');
    expect(previous.stderr).toContain('previous terminated container "engine" in pod "talks" not found');
    expect(await shell.printsUntil('logs -f talks -c engine', /serving\n/)).toBe('loading\nserving\n');
  });

  it('set image, label, annotate and the three kinds of patch change it', async () => {
    await ready('changed');
    expect(await shell.prints('set image pod/changed engine=engine:v2')).toBe('pod/changed image updated\n');
    expect(await shell.prints('label pod changed tier=gold')).toBe('pod/changed labeled\n');
    expect(await shell.prints('annotate pod changed note=x')).toBe('pod/changed annotated\n');
    const strategic = '{"spec":{"containers":[{"name":"side","image":"side:v2"}]}}';
    expect(await shell.prints('patch pod changed -p', { args: [strategic] })).toBe('pod/changed patched\n');
    expect(
      await shell.prints('patch pod changed --type=merge -p', { args: ['{"metadata":{"labels":{"m":"1"}}}'] }),
    ).toBe('pod/changed patched\n');
    const json = '[{"op":"replace","path":"/metadata/labels/m","value":"2"}]';
    expect(await shell.prints('patch pod changed --type=json -p', { args: [json] })).toBe('pod/changed patched\n');
    const { metadata, spec } = JSON.parse(await shell.prints('get pod changed -o json'));
    expect(metadata).toMatchObject({ labels: { app: 'engine', tier: 'gold', m: '2' }, annotations: { note: 'x' } });
    expect(spec.containers.map(({ image }: { image: string }) => image)).toEqual(['engine:v2', 'side:v2']);
  });

  it('edit opens the editor and writes what it saved', async () => {
    await ready('edited');
    const editor = await shell.script('editor', 'sed -i s/engine:v1/engine:v3/ "$1"');
    expect(await shell.prints('edit pod edited', { env: { KUBE_EDITOR: editor } })).toBe('pod/edited edited\n');
    expect(await shell.prints('get pod edited -o jsonpath={.spec.containers[0].image}')).toBe('engine:v3');
  });

  it('diff shows what an apply would change', async () => {
    await ready('compared');
    const wanted = pod('compared', { containers: [container('engine:v9'), { name: 'side', image: 'side:v1' }] });
    const { code, stdout } = await shell.kubectl('diff -f -', { stdin: wanted });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^-\s+image: engine:v1$/m);
    expect(stdout).toMatch(/^\+\s+image: engine:v9$/m);
  });

  it('wait sees conditions, fields, creation and deletion', async () => {
    const created = shell.prints('wait --for=create --timeout=20s pod/awaited');
    await shell.prints('apply -f -', { stdin: pod('awaited') });
    expect(await created).toBe('pod/awaited condition met\n');
    expect(await shell.prints('wait --for=jsonpath={.status.phase}=Running --timeout=20s pod/awaited')).toBe(
      'pod/awaited condition met\n',
    );
    const deleted = shell.prints('wait --for=delete --timeout=20s pod/awaited');
    expect(await shell.prints('delete pod awaited --wait=false')).toMatch(/^pod "awaited" deleted/);
    expect(await deleted).toBe('pod/awaited condition met\n');
  });

  it('delete waits until the Pod is gone, and says so of one that never was', async () => {
    await ready('leaving');
    expect(await shell.prints('delete pod leaving')).toMatch(/^pod "leaving" deleted/);
    const gone = await shell.kubectl('get pod leaving');
    expect(gone).toMatchObject({ code: 1, stderr: 'Error from server (NotFound): pods "leaving" not found\n' });
  });

  it('events lists what happened to one Pod', async () => {
    await ready('eventful');
    const rows = cellsOf(await shell.prints('events --for=pod/eventful'));
    expect(rows[0]).toEqual(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
    expect(rows).toContainEqual([age, 'Normal', 'Started', 'Pod/eventful', 'Started container engine']);
    expect(cellsOf(await shell.prints('get events --field-selector=involvedObject.name=eventful'))).toContainEqual([
      age,
      'Normal',
      'Scheduled',
      'pod/eventful',
      'Successfully assigned default/eventful to node-1',
    ]);
  });

  it('exec, attach and port-forward say that the cluster does not do that', async () => {
    await ready('closed');
    for (const command of ['exec closed -c engine -- ls', 'attach closed -c engine', 'port-forward pod/closed 0:80']) {
      const { code, stderr } = await shell.kubectl(command);
      expect(code).toBe(1);
      expect(stderr).toMatch(/the embedded cluster does not support/);
    }
  });
});
