import { effectiveSchedulerName, type ModelServingSpec, type PodTemplate } from '../api/index.ts';
import {
  isPlainObject,
  mapItems,
  mapMember,
  member,
  type PlainObject,
  stringifyAsGo,
  withMember,
  withoutMember,
} from '../objects/index.ts';
import { withoutOperatorEnv } from './meaning.ts';

/** The value of the annotation `modelserving.volcano.sh/revision-data-version` for the layout that is written. */
export const storedLayout = 'v1';

/**
 * The `data` of a ControllerRevision for a spec, in layout v1 (kthena PR 1643): Roles sorted by name without replicas
 * and rollout knobs, what the operator overwrites in every Pod taken out or written as it will be. The values
 * themselves stay as the user spelled them: history shows them, undo restores them.
 *
 * The members of the object are in the order in which Go sorts them, all the way down.
 */
export const storedDataOf = (spec: ModelServingSpec): PlainObject => {
  const schedulerName = effectiveSchedulerName(spec);
  const roles = spec.template.roles
    .map(({ name, entryTemplate, workerReplicas, workerTemplate }) => ({
      name,
      entryTemplate: storedTemplate(entryTemplate, schedulerName),
      workerReplicas,
      workerTemplate: workerTemplate && storedTemplate(workerTemplate, schedulerName),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return inGoOrder({ spec: { schedulerName, plugins: spec.plugins ?? [], template: { roles } } });
};

/** The bytes that stand in `data` for good: the API server compares them one by one in every later write. */
export const storedBytes = (data: PlainObject): Uint8Array => new TextEncoder().encode(stringifyAsGo(data));

const storedTemplate = (template: PodTemplate, schedulerName: string): PlainObject => {
  const spec = mapMember({ ...template }, 'spec', (pod) =>
    withMember(
      ['containers', 'initContainers'].reduce((rest, list) => mapItems(rest, list, withoutOperatorEnv), pod),
      'schedulerName',
      schedulerName,
    ),
  );
  return hasMetadata(spec) ? spec : withoutMember(spec, 'metadata');
};

const hasMetadata = (template: PlainObject): boolean => {
  const metadata = member(template, 'metadata');
  return (
    isPlainObject(metadata) &&
    [metadata['labels'], metadata['annotations']].some((map) => isPlainObject(map) && Object.keys(map).length > 0)
  );
};

const inGoOrder = (value: PlainObject): PlainObject => JSON.parse(stringifyAsGo(value)) as PlainObject;
