import {
  entryLabel,
  entryName,
  groupName,
  groupNameLabel,
  nameLabel,
  revisionLabel,
  roleId,
  roleIdLabel,
  roleLabel,
} from '../../api/index.ts';
import { controllerOf } from '../../objects/index.ts';
import type { RestInvariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';
import { byInstance } from './units.ts';

const oneRevision: RestInvariant = {
  id: 'I28',
  rule: 'At rest all Pods of a role instance carry one revision, and its record exists.',
  check: (scene) => {
    for (const [key, pods] of byInstance(scene.ownPods())) {
      const revisions = new Set(pods.map(({ pod }) => revisionOfPod(pod)));
      if (revisions.size > 1) return `${key} has Pods of ${[...revisions].join(', ')}`;
      const [revision] = revisions;
      const isKnown = [...scene.revisions.values()].some(
        ({ metadata }) => metadata.labels?.[revisionLabel] === revision,
      );
      if (!isKnown) return `${key} is of revision ${revision}, which is not on record`;
    }
    return undefined;
  },
};

const services: RestInvariant = {
  id: 'I29',
  rule: 'At rest there is one headless Service for each role instance with workers, and no other.',
  check: (scene) => {
    const { modelServing } = scene;
    if (modelServing === undefined) return undefined;
    const ms = scene.options.name;
    const wanted = new Set(
      scene
        .ownPods()
        .filter(({ role }) => modelServing.spec.template.roles.some((it) => it.name === role && it.workerReplicas > 0))
        .map((pod) => entryName(ms, pod)),
    );
    const own = [...scene.services.values()].filter((it) => controllerOf(it)?.uid === modelServing.metadata.uid);
    const names = new Set(own.map(({ metadata }) => metadata.name ?? ''));
    const absent = [...wanted].find((name) => !names.has(name));
    if (absent !== undefined) return `Service ${absent} is missing`;
    const stray = [...names].find((name) => !wanted.has(name));
    return stray === undefined ? undefined : `Service ${stray} is left over`;
  },
};

const nothingLeft: RestInvariant = {
  id: 'I46',
  rule: 'At rest nothing is left of a ModelServing that is gone.',
  check: (scene) => {
    const uid = scene.modelServing?.metadata.uid;
    const left = [...scene.pods.values(), ...scene.services.values(), ...scene.revisions.values()].find((object) => {
      const owner = controllerOf(object);
      return owner?.kind === 'ModelServing' && owner.uid !== uid;
    });
    return left === undefined ? undefined : `${left.metadata.name} is left over from another ModelServing`;
  },
};

const labelsWhole: RestInvariant = {
  id: 'I27',
  rule: 'At rest every Pod carries the labels of its place again, whoever took them away.',
  check: (scene) => {
    const ms = scene.options.name;
    for (const place of scene.ownPods()) {
      const labels = place.pod.metadata.labels ?? {};
      const wanted = {
        [nameLabel]: ms,
        [groupNameLabel]: groupName(ms, place.group),
        [roleLabel]: place.role,
        [roleIdLabel]: roleId(place.role, place.instance),
        [entryLabel]: place.index === 0 ? 'true' : undefined,
      };
      const wrong = Object.entries(wanted).find(([key, value]) => labels[key] !== value);
      if (wrong !== undefined) return `Pod ${place.name} has ${wrong[0]}=${labels[wrong[0]]}, not ${wrong[1]}`;
      if (labels[revisionLabel] === undefined) return `Pod ${place.name} has no revision label`;
    }
    return undefined;
  },
};

/** Checked when everything has come to rest. */
export const restInvariants: readonly RestInvariant[] = [oneRevision, services, nothingLeft, labelsWhole];
