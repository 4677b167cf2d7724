/**
 * The last line of a test run, for people and for scripts: `N passed, N failed`, and `, N skipped` where there are any.
 *
 * @param counts  what the reporter counted; undefined where the run ended before it could
 * @param ended   exit code and signal of the test runner: a run that did not end well has failed, even where no single
 *                test has (no test file matched, a hook threw, the runner was killed)
 */
export const closingLine = (counts, ended) => {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const failures = failed === 0 && ended.code !== 0 ? 1 : failed;
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
};
