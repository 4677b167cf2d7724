import { decodeUnits, encodeUnits } from '../../../src/api/index.ts';
import { isTerminating, type Pod, refOf, uidOf } from '../../../src/objects/index.ts';
import { decide, type Effect } from '../../../src/rollout/index.ts';
import { evicts, losesUnderRoleRecreate, restartsUnderGrace, scalesToNothing } from './habitats.ts';
import { livesIn, type Mutant, misdoes, misreads, misreports, overdoes, withSpec, withStrategy } from './mutant.ts';

const deletes = (pod: Pod, why: string): Effect => ({
  kind: 'delete',
  key: `mutant/${uidOf(pod)}`,
  resource: 'pods',
  ref: refOf(pod),
  uid: uidOf(pod),
  why,
});

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((it) => it.type === 'Ready' && it.status === 'True') === true;

export const recovery: readonly Mutant[] = [
  misreads('a loss is filled beside the survivors', (ms) => withSpec(ms, { recoveryPolicy: 'None' })),
  livesIn(
    losesUnderRoleRecreate,
    misreads('one lost Pod takes its whole group', (ms) => withSpec(ms, { recoveryPolicy: 'ServingGroupRecreate' })),
  ),
  livesIn(
    restartsUnderGrace,
    misreads('the grace period of a restart is skipped', (ms) =>
      withSpec(ms, { template: { ...ms.spec.template, restartGracePeriodSeconds: 0 } }),
    ),
  ),
  overdoes('whatever is not Ready is deleted', ({ children }) =>
    children.pods.filter((pod) => !isReady(pod) && !isTerminating(pod)).map((pod) => deletes(pod, 'mutant: not Ready')),
  ),
  overdoes('a Pod that was restarted once is deleted', ({ children }) =>
    children.pods
      .filter(
        (pod) => !isTerminating(pod) && pod.status?.containerStatuses?.some(({ restartCount }) => restartCount > 0),
      )
      .map((pod) => deletes(pod, 'mutant: restarted')),
  ),
  misreads('everything is recreated', (ms) => withStrategy(ms, { updateMethod: 'Recreate' })),
  livesIn(
    evicts,
    misdoes('a Pod that has ended is left there', (effect, { children }) => {
      if (effect.kind !== 'delete' || effect.resource !== 'pods') return effect;
      const pod = children.pods.find((it) => uidOf(it) === effect.uid);
      return pod?.status?.phase === 'Failed' || pod?.status?.phase === 'Succeeded' ? undefined : effect;
    }),
  ),
  {
    name: 'a milestone may wait like any status',
    decide: (input) => ({ ...decide(input), milestone: false }),
  },
  misreports('what leaves is not recorded', (status) => ({
    ...status,
    units: encodeUnits(decodeUnits(status.units).map((record) => ({ ...record, leaving: false }))),
  })),
];

export const scaling: readonly Mutant[] = [
  misreads('one group more than wanted', (ms) => withSpec(ms, { replicas: (ms.spec.replicas ?? 1) + 1 })),
  misreads('one role instance more than wanted', (ms) =>
    withSpec(ms, {
      template: {
        ...ms.spec.template,
        roles: ms.spec.template.roles.map((role) => ({ ...role, replicas: (role.replicas ?? 1) + 1 })),
      },
    }),
  ),
  livesIn(
    scalesToNothing,
    misdoes('what is scaled down stays', (effect) =>
      effect.kind === 'delete' && effect.why.includes('scaled down') ? undefined : effect,
    ),
  ),
  livesIn(
    scalesToNothing,
    misreads('a scale to zero keeps one', (ms) => withSpec(ms, { replicas: Math.max(1, ms.spec.replicas ?? 1) })),
  ),
];
