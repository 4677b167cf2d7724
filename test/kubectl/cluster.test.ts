import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf, missingKubectl, openShell, type Shell, titled } from './shell.ts';

describe.skipIf(missingKubectl !== undefined)(titled('kubectl and the cluster'), () => {
  let shell: Shell;
  beforeAll(async () => {
    shell = await openShell({ nodes: [{ name: 'node-1' }, { name: 'node-2' }] });
  });
  afterAll(() => shell.close());

  it('version knows the server, and cluster-info where it is', async () => {
    expect(await shell.prints('version')).toContain('Server Version: v1.34.4\n');
    expect(await shell.prints('cluster-info')).toContain(shell.server);
    expect(await shell.prints('get --raw /readyz')).toBe('ok');
  });

  it('api-resources and api-versions list what is served', async () => {
    const resources = cellsOf(await shell.prints('api-resources'));
    expect(resources).toContainEqual(['pods', 'po', 'v1', 'true', 'Pod']);
    expect(resources).toContainEqual([
      'customresourcedefinitions',
      'crd,crds',
      'apiextensions.k8s.io/v1',
      'false',
      'CustomResourceDefinition',
    ]);
    const versions = (await shell.prints('api-versions')).split('\n');
    expect(versions).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'coordination.k8s.io/v1', 'events.k8s.io/v1']));
  });

  it('get nodes and namespaces shows them', async () => {
    expect(cellsOf(await shell.prints('get nodes')).map((row) => row.slice(0, 3))).toEqual([
      ['NAME', 'STATUS', 'ROLES'],
      ['node-1', 'Ready', '<none>'],
      ['node-2', 'Ready', '<none>'],
    ]);
    expect(await shell.prints('get ns default')).toMatch(/^default +Active +\d+s$/m);
    expect(await shell.prints('describe node node-1')).toMatch(/^Name: +node-1$/m);
  });

  it('create makes namespaces, configmaps, secrets and services, whatever format kubectl sends them in', async () => {
    expect(await shell.prints('create namespace team')).toBe('namespace/team created\n');
    expect(await shell.prints('-n team create configmap settings --from-literal=a=1')).toBe(
      'configmap/settings created\n',
    );
    expect(await shell.prints('-n team create secret generic key --from-literal=p=secret')).toBe(
      'secret/key created\n',
    );
    expect(await shell.prints('-n team create service clusterip web --tcp=80:8080')).toBe('service/web created\n');
    expect(await shell.prints('-n team create serviceaccount robot')).toBe('serviceaccount/robot created\n');
    expect(await shell.prints('-n team get configmap settings -o jsonpath={.data.a}')).toBe('1');
    expect(await shell.prints('-n team get secret key -o jsonpath={.data.p}')).toBe('c2VjcmV0');
    expect(cellsOf(await shell.prints('-n team get service web'))[1]?.slice(0, 2)).toEqual(['web', 'ClusterIP']);
    expect(await shell.prints('-n team get service web -o jsonpath={.spec.ports[0].targetPort}')).toBe('8080');
    expect(await shell.prints('delete namespace team')).toMatch(/^namespace "team" deleted/);
    const lasting = await shell.kubectl('delete namespace default');
    expect(lasting.stderr).toBe(
      'Error from server (Forbidden): namespaces "default" is forbidden: this namespace may not be deleted\n',
    );
  });

  it('auth says that everybody may do everything, and who one is', async () => {
    expect(await shell.prints('auth can-i create pods')).toBe('yes\n');
    expect(await shell.prints('auth can-i --list')).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]/m);
    expect(await shell.prints('auth whoami')).toMatch(/^Username +kubernetes-admin$/m);
    expect(await shell.prints('auth whoami --as=bob')).toMatch(/^Username +bob$/m);
  });

  it('explain knows the fields of a Pod', async () => {
    const text = await shell.prints('explain pod.spec.containers');
    expect(text).toMatch(/^KIND: +Pod$/m);
    expect(text).toMatch(/^FIELD: containers <\[\]Container>$/m);
    expect(text).toMatch(/^ {2}readinessProbe\t<Probe>$/m);
    expect((await shell.kubectl('explain pod.spec.nothing')).stderr).toContain('field "nothing" does not exist');
  });

  it('says plainly what it does not know', async () => {
    expect((await shell.kubectl('get unicorns')).stderr).toBe(
      'error: the server doesn\'t have a resource type "unicorns"\n',
    );
    const unicorn = { apiVersion: 'v1', kind: 'Unicorn', metadata: { name: 'u' } };
    expect((await shell.kubectl('apply -f -', { stdin: unicorn })).stderr).toContain(
      'no matches for kind "Unicorn" in version "v1"',
    );
    expect((await shell.kubectl('create deployment d --image=x')).stderr).toContain(
      'the server could not find the requested resource',
    );
    expect((await shell.kubectl('top pods')).stderr).toBe('error: Metrics API not available\n');
  });

  it('drain empties a node and uncordon opens it again', async () => {
    await shell.prints('run tenant --image=engine:v1 --overrides', {
      args: ['{"spec":{"nodeName":"node-2","terminationGracePeriodSeconds":1}}'],
    });
    await shell.prints('wait --for=condition=Ready --timeout=20s pod/tenant');
    expect(await shell.prints('drain node-2 --force --timeout=20s')).toContain('pod/tenant evicted');
    expect(await shell.prints('get node node-2')).toMatch(/^node-2 +Ready,SchedulingDisabled /m);
    expect(await shell.prints('uncordon node-2')).toBe('node/node-2 uncordoned\n');
  });
});
