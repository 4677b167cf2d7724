import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelserving-'));

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const manifest = (extra: string, image = 'engine:v1'): string => `
apiVersion: workload.serving.volcano.sh/v1alpha1
kind: ModelServing
metadata: {name: mine}
spec:
  replicas: 1
${extra}
  template:
    roles:
      - name: r
        workerReplicas: 0
        entryTemplate: {spec: {containers: [{name: c, image: "${image}"}]}}
`;

/** One sentence for the person, no stack trace. */
const isOneSentence = (text: string): boolean => text.trim().split('\n').length === 1 && !text.includes('    at ');

describe('bad input gets one clear sentence and the exit code 1', { timeout: 60_000 }, () => {
  it('a file that is not there', async () => {
    const { code, stderr } = await runCli(['dev', '--file', join(folder, 'absent.yaml')]);
    expect(stderr).toMatch(/Cannot read .*absent\.yaml \(ENOENT\); give the path of a YAML file with --file\./);
    expect(isOneSentence(stderr)).toBe(true);
    expect(code).toBe(1);
  });

  it('a file that is not YAML', async () => {
    const { code, stderr } = await runCli(['dev', '--file', fileOf('broken.yaml', 'a: [1, 2')]);
    expect(stderr).toMatch(/broken\.yaml is not valid YAML: .* at line 1/);
    expect(code).toBe(1);
  });

  it('a document that is no Kubernetes object', async () => {
    const { code, stderr } = await runCli(['dev', '--file', fileOf('plain.yaml', 'hello: world')]);
    expect(stderr).toMatch(/plain\.yaml: document 1 is not a Kubernetes object: apiVersion or kind is missing/);
    expect(code).toBe(1);
  });

  it('an unknown field', async () => {
    const { code, stderr } = await runCli([
      'dev',
      '--port',
      '6571',
      '--file',
      fileOf('field.yaml', manifest('  replica: 3')),
    ]);
    expect(stderr).toMatch(/ModelServing mine was refused: .*unknown field "spec\.replica"/);
    expect(isOneSentence(stderr)).toBe(true);
    expect(code).toBe(1);
  });

  it('a value that the schema does not allow', async () => {
    const text = manifest('  rolloutStrategy: {type: Sideways}');
    const { code, stderr } = await runCli(['dev', '--port', '6572', '--file', fileOf('value.yaml', text)]);
    expect(stderr).toMatch(/ModelServing mine was refused: .*Unsupported value: "Sideways": supported values/);
    expect(code).toBe(1);
  });

  it('what no schema can say: the rules of the webhook', async () => {
    const text = manifest('  recoveryPolicy: ServingGroupRecreate\n  rolloutStrategy: {type: RoleRollingUpdate}');
    const { code, stderr } = await runCli(['dev', '--port', '6576', '--file', fileOf('pair.yaml', text)]);
    expect(stderr).toMatch(/ModelServing mine was refused: .*incompatible recoveryPolicy and rolloutStrategy\.type/s);
    expect(code).toBe(1);
  });

  it('a kind that the cluster does not serve', async () => {
    const text = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n';
    const { code, stderr } = await runCli(['dev', '--port', '6573', '--file', fileOf('kind.yaml', text)]);
    expect(stderr).toMatch(/Deployment d: the cluster serves no such kind in apps\/v1/);
    expect(code).toBe(1);
  });

  it('a port in use', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const { code, stderr } = await runCli(['dev', '--port', String(port)]);
    server.close();
    expect(stderr).toMatch(new RegExp(`Port ${port} is in use on this machine; choose another with --port`));
    expect(isOneSentence(stderr)).toBe(true);
    expect(code).toBe(1);
  });

  it('a port that is none', async () => {
    const { code, stderr } = await runCli(['dev', '--port', 'http']);
    expect(stderr).toMatch(/--port.*a port is 1 to 65535/);
    expect(code).toBe(1);
  });

  it('manifests that never get Ready: what is waited for, after the timeout', async () => {
    const text = manifest('  schedulerName: any', 'engine:missing');
    const file = fileOf(
      'stuck.yaml',
      text.replace('entryTemplate: {spec: {', 'entryTemplate: {spec: {nodeSelector: {gpu: "yes"}, '),
    );
    const { code, stderr } = await runCli(['dev', '--port', '6574', '--timeout', '5', '--file', file]);
    expect(stderr).toMatch(/mine is not Ready after 5 s: ModelServing default\/mine is Progressing .*not scheduled/);
    expect(code).toBe(1);
  });

  it('a broken kubeconfig', async () => {
    const { code, stderr } = await runCli(['operator', '--kubeconfig', fileOf('kubeconfig', 'clusters: nonsense')]);
    expect(stderr).toContain('kubeconfig');
    expect(isOneSentence(stderr)).toBe(true);
    expect(code).toBe(1);
  });

  it('no kubeconfig at all', async () => {
    const { code, stderr } = await runCli(['operator']);
    expect(stderr).toMatch(/no cluster to connect to: .*name a kubeconfig with --kubeconfig/);
    expect(code).toBe(1);
  });

  it('an API server that is not there', async () => {
    const kubeconfig = `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:9"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`;
    const { code, stderr } = await runCli(['operator', '--kubeconfig', fileOf('nowhere', kubeconfig)]);
    expect(stderr).toMatch(/Cannot work with https:\/\/127\.0\.0\.1:9 .*ECONNREFUSED/);
    expect(isOneSentence(stderr)).toBe(true);
    expect(code).toBe(1);
  });
});
