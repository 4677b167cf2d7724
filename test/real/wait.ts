import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `look` returns something, asking ten times a second.
 *
 * @param what  a phrase for the error: "waited 60 s for …"
 */
export const until = async <T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 60,
): Promise<T> => {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await sleep(100);
  }
};

/** Fails as soon as `holds` does not, within `seconds`. */
export const always = async (what: string, seconds: number, holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (!(await holds())) throw new Error(`did not always hold for ${seconds} s: ${what}`);
    await sleep(100);
  }
};
