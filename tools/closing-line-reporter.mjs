import { closingLine } from './bootstrap/closing-line.mjs';

const countsOf = (modules, unhandledErrors) => {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    const before = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    // A file that does not load, or whose hooks throw, is a failure of its own: its tests count as skipped, or not at all.
    for (const suite of [module, ...module.children.allSuites()]) counts.failed += suite.errors().length > 0 ? 1 : 0;
    if (module.state() === 'failed' && counts.failed === before) counts.failed += 1;
  }
  return counts;
};

/**
 * A vitest reporter that ends a run with one line a script can read. Under the bootstrap it hands the counts over, and
 * the bootstrap prints the line once vitest is gone; on its own it prints the line when the process ends.
 */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = countsOf(modules, unhandledErrors);
    if (process.send !== undefined) process.send({ type: 'test-counts', counts });
    else {
      process.on('exit', (code) =>
        process.stdout.write(`${closingLine(counts, { code: Number(code), signal: null })}\n`),
      );
    }
  }
}
