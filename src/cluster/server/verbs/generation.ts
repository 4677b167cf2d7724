import { jsonEqual } from '../../../objects/index.ts';
import type { StoredObject } from '../../server-types.ts';
import type { Strategy } from '../kinds/strategy.ts';

/** The generation after a change: one more where what counts for this kind has changed. */
export const nextGeneration = (strategy: Strategy, next: StoredObject, previous: StoredObject): number | undefined => {
  const { generation } = previous.metadata;
  if (generation === undefined || !hasChanged(strategy, next, previous)) return generation;
  return generation + 1;
};

const hasChanged = (strategy: Strategy, next: StoredObject, previous: StoredObject): boolean => {
  switch (strategy.generation) {
    case 'none':
      return false;
    case 'spec':
      return !jsonEqual(next['spec'], previous['spec']);
    case 'content':
      return !jsonEqual(content(strategy, next), content(strategy, previous));
  }
};

const content = (strategy: Strategy, object: StoredObject): unknown => {
  const { metadata: _metadata, apiVersion: _apiVersion, status, ...rest } = object;
  return strategy.statusSubresource ? rest : { ...rest, status };
};
