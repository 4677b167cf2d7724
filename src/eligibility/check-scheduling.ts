import {
  gangPolicyMeaning,
  networkTopologyMeaning,
  pluginsMeaning,
  type Recorded,
  type RecordedField,
  type RevisionData,
  recordedFields,
  schedulerMeaning,
  silences,
} from '../revision/index.ts';
import { asReasons } from './as-reasons.ts';
import { differences } from './differences.ts';
import type { Reason, ReasonKind } from './reason.ts';

/**
 * schedulerName, plugins, gangPolicy and networkTopology: any difference is a reason, and so is a record that does not
 * say them, because then nobody can tell.
 */
export const checkScheduling = (before: RevisionData, after: RevisionData): readonly Reason[] => {
  const silent = new Set([...silences(before), ...silences(after)]);
  return recordedFields.flatMap((field) => {
    const { path, kind } = fields[field];
    if (silent.has(field)) {
      const message = `the history does not record ${field}, so it cannot be proved unchanged`;
      return [{ path, kind: 'history-silent' as const, message }];
    }
    return asReasons(differences(meaningOf(before, field), meaningOf(after, field), path), kind);
  });
};

const fields: Readonly<Record<RecordedField, { readonly path: string; readonly kind: ReasonKind }>> = {
  schedulerName: { path: 'spec.schedulerName', kind: 'scheduler-name' },
  plugins: { path: 'spec.plugins', kind: 'plugins' },
  gangPolicy: { path: 'spec.template.gangPolicy', kind: 'gang-policy' },
  networkTopology: { path: 'spec.template.networkTopology', kind: 'network-topology' },
};

const meaningOf = (data: RevisionData, field: RecordedField): unknown => {
  switch (field) {
    case 'schedulerName':
      return schedulerMeaning(valueIn(data.schedulerName));
    case 'plugins':
      return pluginsMeaning(valueIn(data.plugins) ?? []);
    case 'gangPolicy':
      return gangPolicyMeaning(valueIn(data.gangPolicy));
    case 'networkTopology':
      return networkTopologyMeaning(valueIn(data.networkTopology));
  }
};

const valueIn = <T>(field: Recorded<T>): T | undefined => (field.state === 'silent' ? undefined : field.value);
