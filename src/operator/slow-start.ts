/** After so many batches in a row in which nothing succeeded, the rest is not tried. */
const hopelessBatches = 3;

/**
 * Runs tasks in batches of 1, 2, 4, … up to `bound`, each batch in parallel. A batch without a success makes the next
 * one small again, and after three of them the rest stays undone: one refused Pod holds up nobody, and a server that
 * refuses everything is asked three times, not a thousand.
 *
 * @param tasks  resolve to whether they succeeded
 * @returns      whether every task ran, well or not
 * @throws       what a task threw, once nothing of its batch is under way any more
 */
export const slowStart = async (tasks: readonly (() => Promise<boolean>)[], bound: number): Promise<boolean> => {
  let size = 1;
  let hopeless = 0;
  for (let next = 0; next < tasks.length; ) {
    if (hopeless === hopelessBatches) return false;
    const batch = tasks.slice(next, next + size);
    next += batch.length;
    const ends = await Promise.allSettled(batch.map((task) => task()));
    const broken = ends.find((end) => end.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
    const succeeded = ends.filter((end) => end.status === 'fulfilled' && end.value).length;
    hopeless = succeeded === 0 ? hopeless + 1 : 0;
    size = succeeded === 0 ? 1 : Math.min(bound, size * 2);
  }
  return true;
};
