/** A set of ordinals as text was not what `formatRanges` writes. */
export class RangesError extends Error {
  override readonly name = 'RangesError';
}

/**
 * Ordinals as maximal ranges in ascending order: `[0, 1, 2, 3, 7]` is `0-3,7`. Input in any order, duplicates allowed;
 * the empty set is the empty string.
 */
export const formatRanges = (ordinals: Iterable<number>): string => {
  const sorted = [...new Set(ordinals)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (sorted[end + 1] === Number(sorted[end]) + 1) end += 1;
    ranges.push(start === end ? `${sorted[start]}` : `${sorted[start]}-${sorted[end]}`);
    start = end + 1;
  }
  return ranges.join(',');
};

/**
 * The ordinals of `0-3,7`, ascending and each once. Throws a RangesError for anything the CRD's pattern refuses, for a
 * range that runs backwards, and for more than a million ordinals (a status edited by hand must not eat the memory).
 */
export const parseRanges = (text: string): readonly number[] => {
  if (text === '') return [];
  const ordinals = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match === null) throw new RangesError(`${JSON.stringify(text)} is not a list of ordinal ranges such as 0-3,7`);
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first) throw new RangesError(`range ${part} runs backwards`);
    if (last - first + ordinals.size >= mostOrdinals) throw new RangesError(`${JSON.stringify(text)} is too large`);
    for (let ordinal = first; ordinal <= last; ordinal += 1) ordinals.add(ordinal);
  }
  return [...ordinals].sort((a, b) => a - b);
};

/** The ordinals, or none where somebody has edited the text into something unreadable: a lost record, never an error. */
export const readRanges = (text: string): readonly number[] => {
  try {
    return parseRanges(text);
  } catch (error) {
    if (error instanceof RangesError) return [];
    throw error;
  }
};

const mostOrdinals = 1_000_000;
