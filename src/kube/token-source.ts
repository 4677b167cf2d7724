import type { Clock, Files } from '../platform/index.ts';

/** Where the bearer token of a request comes from. */
export interface TokenSource {
  /** Rejects where no token could ever be read. */
  current(): Promise<string>;
  /** The server did not accept the token: the next `current` does not trust what is remembered. */
  refused(): void;
}

export const staticToken = (token: string): TokenSource => ({
  current: async () => token,
  refused: () => undefined,
});

/** A kubelet renews a token an hour before it expires; a minute is early enough and costs nothing. */
const maxAgeMs = 60_000;

interface FileTokenOptions {
  readonly files: Pick<Files, 'read'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly path: string;
}

/** A token in a file that somebody renews: read again once a minute at most, and at once after it was refused. */
export const fileToken = ({ files, clock, path }: FileTokenOptions): TokenSource => {
  let known: { readonly token: string; readonly readAt: number } | undefined;
  let fresh = false;
  let reading: Promise<string> | undefined;

  const read = async (): Promise<string> => {
    const readAt = clock.monotonic();
    try {
      const token = Buffer.from(await files.read(path))
        .toString('utf8')
        .trim();
      if (token === '') throw new Error(`the token file ${path} is empty`);
      known = { token, readAt };
      fresh = true;
      return token;
    } catch (error) {
      // Being replaced right now, perhaps: the last good token is likely to be good still.
      if (known !== undefined) return known.token;
      throw error;
    } finally {
      reading = undefined;
    }
  };

  return {
    current() {
      if (known !== undefined && fresh && clock.monotonic() - known.readAt < maxAgeMs)
        return Promise.resolve(known.token);
      reading ??= read();
      return reading;
    },
    refused() {
      fresh = false;
    },
  };
};
