import { compileLabelSelector, type LabelSelector } from '../../../objects/index.ts';
import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { decodeBody, isObject } from '../body.ts';
import type { Core } from '../core.ts';
import { record, records } from '../kinds/fields.ts';
import { secondsTime, withFields } from '../kinds/metadata.ts';
import { forbidden, methodNotAllowed, StatusError } from '../status-error.ts';
import type { Target } from '../target.ts';
import { commit } from '../verbs/commit.ts';
import { checkPreconditions, deleteObject } from '../verbs/delete.ts';
import { parseDeleteOptions } from '../verbs/delete-options.ts';
import { existing } from '../verbs/get.ts';

/**
 * POST of `pods/NAME/eviction`: a delete that asks the PodDisruptionBudgets first. As in a real server, what a budget
 * still allows stands in its status, which a controller keeps up to date; none runs in the embedded cluster.
 */
export const evict = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  if (request.method !== 'POST') throw methodNotAllowed();
  const pod = existing(core, target);
  const body = request.body.length > 0 ? decodeBody(core, request) : {};
  const options = parseDeleteOptions(isObject(body) ? record(body['deleteOptions']) : {}, request);
  checkPreconditions(target, pod, options);
  if (needsBudget(pod)) spendBudget(core, target, request, pod);
  const marked = options.dryRun ? pod : commit(core, { target, request, verb: 'update' }, disrupted(pod, core));
  deleteObject(core, { target: { ...target, subresource: undefined }, request, object: marked, options });
  return { status: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
};

/** Pods that serve nobody are free to go. */
const needsBudget = (pod: StoredObject): boolean => {
  const phase = record(pod['status'])['phase'];
  return (
    pod.metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending'
  );
};

const spendBudget = (core: Core, target: Target, request: ServerRequest, pod: StoredObject): void => {
  const budgets = core.store
    .list('policy/poddisruptionbudgets')
    .filter((budget) => budget.metadata.namespace === pod.metadata.namespace && selects(budget, pod));
  const [budget, second] = budgets;
  if (budget === undefined) return;
  if (second !== undefined) {
    throw new StatusError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const status = record(budget['status']);
  const name = budget.metadata.name ?? '';
  if (Number(status['observedGeneration'] ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`);
  }
  const [allowed, healthy, desired] = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy'].map((field) =>
    Number(status[field] ?? 0),
  ) as [number, number, number];
  if (!isReady(pod) && healthy >= desired && desired > 0) return;
  if (allowed < 0) {
    throw forbidden({ group: 'policy', name: 'poddisruptionbudgets' }, name, 'pdb disruptions allowed is negative');
  }
  if (allowed === 0) {
    throw refused(`The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`);
  }
  const kind = core.kinds.find('policy', 'v1', 'poddisruptionbudgets');
  if (kind === undefined || request.query.get('dryRun') === 'All') return;
  const disruptedPods = {
    ...record(status['disruptedPods']),
    [pod.metadata.name ?? '']: secondsTime(core.platform.clock.wall()),
  };
  const spent = withFields(budget, { status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods } });
  commit(
    core,
    { target: { kind, namespace: target.namespace, name, subresource: 'status' }, request, verb: 'update' },
    spent,
  );
};

const selects = (budget: StoredObject, pod: StoredObject): boolean =>
  compileLabelSelector(record(budget['spec'])['selector'] as LabelSelector | undefined)(pod.metadata.labels);

const isReady = (pod: StoredObject): boolean =>
  records(record(pod['status'])['conditions']).some(({ type, status }) => type === 'Ready' && status === 'True');

const refused = (message: string): StatusError =>
  new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
  });

const disrupted = (pod: StoredObject, core: Core): StoredObject => {
  const status = record(pod['status']);
  const others = records(status['conditions']).filter(({ type }) => type !== 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: secondsTime(core.platform.clock.wall()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  return withFields(pod, { status: { ...status, conditions: [...others, condition] } });
};
