import { type FieldError, forbidden, type IntOrString, invalid } from '../../objects/index.ts';
import { effectiveRecoveryPolicy, effectiveRolloutType } from '../defaults.ts';
import type { RollingUpdateConfiguration } from '../types.ts';
import { type Check, rolesOf } from './check.ts';
import { intOrPercentErrors, resolutionProblem, resolve } from './int-or-percent.ts';

const configurationPath = 'spec.rolloutStrategy.rollingUpdateConfiguration';
const bothZero = 'maxUnavailable and maxSurge cannot both resolve to 0';

/** The limits for whole ServingGroups; Roles have their own. */
export const checkRollingUpdate: Check = ({ spec }) => {
  const knobs = spec?.rolloutStrategy?.rollingUpdateConfiguration;
  if (!knobs) return [];
  if (effectiveRolloutType(spec) === 'RoleRollingUpdate') {
    return [
      forbidden(
        configurationPath,
        'rollingUpdateConfiguration is only valid when rolloutStrategy.type is ServingGroupRollingUpdate',
      ),
    ];
  }
  const errors = [
    ...knobErrors(`${configurationPath}.maxUnavailable`, knobs.maxUnavailable),
    ...knobErrors(`${configurationPath}.maxSurge`, knobs.maxSurge),
    ...knobErrors(`${configurationPath}.partition`, knobs.partition),
  ];
  const stands = typeof spec.replicas === 'number' && errors.length === 0 && standsStill(knobs, spec.replicas);
  return [
    ...errors,
    ...unresolvable(`${configurationPath}.maxUnavailable`, knobs.maxUnavailable),
    ...(stands ? [invalid(configurationPath, '', bothZero)] : []),
  ];
};

/**
 * The limits for role instances. Without RoleRollingUpdate maxUnavailable is not looked at (the CRD sets it), nor is a
 * maxSurge of 0. A maxUnavailable above the replicas is legal, and so is a Role of 0 replicas: otherwise nobody could
 * scale a Role down that far.
 */
export const checkRoleRollingUpdate: Check = (modelServing) => {
  const byRole =
    !!modelServing.spec?.rolloutStrategy && effectiveRolloutType(modelServing.spec) === 'RoleRollingUpdate';
  return rolesOf(modelServing).flatMap(({ role, path }) => {
    const partition = knobErrors(`${path}.partition`, role.partition);
    if (!byRole) {
      return [
        ...partition,
        ...(isSet(role.partition) ? [onlyByRole(path, 'partition')] : []),
        ...(isSet(role.maxSurge) && !isZero(role.maxSurge) ? [onlyByRole(path, 'maxSurge')] : []),
      ];
    }
    const errors = [
      ...partition,
      ...knobErrors(`${path}.maxSurge`, role.maxSurge),
      ...knobErrors(`${path}.maxUnavailable`, role.maxUnavailable),
    ];
    const stands = errors.length === 0 && standsStill(role, role.replicas ?? 1);
    return [
      ...errors,
      ...unresolvable(`${path}.maxUnavailable`, role.maxUnavailable),
      ...(stands ? [invalid(`${path}.maxUnavailable`, role.maxUnavailable, bothZero)] : []),
    ];
  });
};

export const checkPolicyPair: Check = ({ spec }) => {
  if (!spec || effectiveRecoveryPolicy(spec) !== 'ServingGroupRecreate') return [];
  if (effectiveRolloutType(spec) !== 'RoleRollingUpdate') return [];
  return [
    invalid(
      'spec.rolloutStrategy.type',
      'RoleRollingUpdate',
      'incompatible recoveryPolicy and rolloutStrategy.type after applying defaults: recoveryPolicy=ServingGroupRecreate, rolloutStrategy.type=RoleRollingUpdate; valid pairs: (ServingGroupRecreate,ServingGroupRollingUpdate) or (RoleRecreate,RoleRollingUpdate)',
    ),
  ];
};

/** There is something to update, and no unit may ever go down or come on top. */
const standsStill = (knobs: RollingUpdateConfiguration, replicas: number): boolean =>
  isSet(knobs.maxUnavailable) &&
  resolve(knobs.maxUnavailable, replicas, 'down') === 0 &&
  resolve(knobs.maxSurge ?? 0, replicas, 'up') === 0 &&
  replicas > (resolve(knobs.partition ?? 0, replicas, 'up') ?? 0);

const knobErrors = (path: string, value: IntOrString | undefined): readonly FieldError[] =>
  isSet(value) ? intOrPercentErrors(path, value) : [];

/** kthena reports a text it cannot resolve a second time, with the reason. */
const unresolvable = (path: string, value: IntOrString | undefined): readonly FieldError[] => {
  const problem = typeof value === 'string' ? resolutionProblem(value) : undefined;
  return problem === undefined ? [] : [invalid(path, value, `invalid maxUnavailable: ${problem}`)];
};

const onlyByRole = (path: string, knob: string): FieldError =>
  forbidden(`${path}.${knob}`, `${knob} is only valid when rolloutStrategy.type is RoleRollingUpdate`);

const isSet = (value: IntOrString | null | undefined): value is IntOrString => value !== undefined && value !== null;
const isZero = (value: IntOrString | undefined): boolean => value === 0 || value === '0%';
