import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { decodeBody, isObject } from '../body.ts';
import type { Core } from '../core.ts';
import { record } from '../kinds/fields.ts';
import { secondsTime, withFields } from '../kinds/metadata.ts';
import { badRequest, conflict, methodNotAllowed } from '../status-error.ts';
import type { Target } from '../target.ts';
import { commit } from '../verbs/commit.ts';
import { existing } from '../verbs/get.ts';

/** POST of `pods/NAME/binding`: the scheduler gives the Pod a node, once and for all. */
export const bind = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  if (request.method !== 'POST') throw methodNotAllowed();
  const body = decodeBody(core, request);
  const node = isObject(body) ? record(body['target'])['name'] : undefined;
  if (typeof node !== 'string' || node === '') throw badRequest('target.name is required');
  const pod = existing(core, target);
  checkBindable(target, pod);
  // The one change of a Pod's spec that its generation does not count: it does not pass through the strategy.
  const bound = assigned(pod, node, core.platform.clock.wall());
  if (request.query.get('dryRun') !== 'All') commit(core, { target, request, verb: 'update' }, bound);
  return { status: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
};

const checkBindable = (target: Target, pod: StoredObject): void => {
  const { name = '' } = target;
  const node = record(pod['spec'])['nodeName'];
  const refuse = (why: string): Error => conflict({ group: '', name: 'pods/binding' }, name, why);
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (typeof node === 'string' && node !== '') throw refuse(`pod ${name} is already assigned to node "${node}"`);
};

const assigned = (pod: StoredObject, node: string, nowMs: number): StoredObject => {
  const status = record(pod['status']);
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : [];
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: secondsTime(nowMs),
  };
  return withFields(pod, {
    spec: { ...record(pod['spec']), nodeName: node },
    status: {
      ...status,
      conditions: [...conditions.filter((one) => record(one)['type'] !== 'PodScheduled'), scheduled],
    },
  });
};
