/** Handlers that end when the test says so. */
export interface HandlerBench {
  /** Throws where the key is handled already. */
  readonly handle: (key: string) => Promise<void>;
  readonly running: () => readonly string[];
  /** Every key that was ever taken, in order. */
  readonly started: string[];
  readonly finish: (key: string, error?: Error) => void;
}

export const createHandlerBench = (): HandlerBench => {
  const open = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  const started: string[] = [];
  return {
    started,
    running: () => [...open.keys()],
    handle: (key) => {
      if (open.has(key)) throw new Error(`${key} is handled twice at the same time`);
      started.push(key);
      return new Promise((resolve, reject) => {
        open.set(key, { resolve, reject });
      });
    },
    finish: (key, error) => {
      const handler = open.get(key);
      if (handler === undefined) throw new Error(`${key} is not handled`);
      open.delete(key);
      if (error === undefined) handler.resolve();
      else handler.reject(error);
    },
  };
};
