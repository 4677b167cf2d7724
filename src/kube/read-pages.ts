import type { KubeObject } from '../objects/index.ts';
import type { List } from './client-types.ts';
import { isApiError, toApiError } from './errors.ts';
import type { Attempt, ReflectorOptions } from './reflector.ts';
import type { Outcome } from './reflector-state.ts';
import { withoutManagedFields } from './watch-stream.ts';

/** client-go's page: keeps one answer at a few megabytes. */
const pageSize = 500;

/** Reads everything page by page (as of one resourceVersion, the newest) and puts it into the target as a whole. */
export const readPages = <T extends KubeObject>(options: ReflectorOptions<T>): Attempt => {
  let cancelled = false;
  const { target } = options;
  const mark = target.listBegan();

  const read = async (): Promise<Outcome> => {
    try {
      const list = await listAll(options, () => cancelled);
      if (!cancelled) target.replace(list.items, list.resourceVersion, mark);
      return { kind: 'listed', resourceVersion: list.resourceVersion };
    } catch (error) {
      return { kind: 'ended', resourceVersion: undefined, error: toApiError(error), livedMs: 0, events: 0 };
    }
  };

  return {
    outcome: read(),
    cancel: () => {
      cancelled = true;
    },
  };
};

const listAll = async <T extends KubeObject>(
  options: ReflectorOptions<T>,
  isCancelled: () => boolean,
): Promise<List<T>> => {
  const { client, resource, selection } = options;
  const items: T[] = [];
  let next: string | undefined;
  do {
    let page: List<T>;
    try {
      page = await client.list(resource, { ...selection, limit: pageSize, continue: next });
    } catch (error) {
      // The pages took longer than the server keeps history. One big answer cannot expire.
      if (next === undefined || !isApiError(error, 'gone')) throw error;
      const whole = await client.list(resource, selection);
      return { ...whole, items: whole.items.map((item) => withoutManagedFields<T>(item)) };
    }
    for (const item of page.items) items.push(withoutManagedFields<T>(item));
    next = page.continue;
    if (next === undefined) return { items, resourceVersion: page.resourceVersion };
  } while (!isCancelled());
  return { items, resourceVersion: '' };
};
