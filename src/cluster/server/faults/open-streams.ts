import type { Cancel } from '../../../platform/index.ts';

/** The streams that are open right now, by the plural of their resource. */
export interface OpenStreams {
  add(resource: string, end: () => void): Cancel;
  /** Ends those of a resource, or all. */
  end(resource?: string): void;
}

export const createOpenStreams = (): OpenStreams => {
  const open = new Set<{ readonly resource: string; readonly end: () => void }>();
  return {
    add: (resource, end) => {
      const stream = { resource, end };
      open.add(stream);
      return () => open.delete(stream);
    },
    end: (resource) => {
      for (const stream of [...open]) {
        if (resource === undefined || stream.resource === resource) stream.end();
      }
    },
  };
};
