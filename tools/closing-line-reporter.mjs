// A vitest reporter that ends a run with one line a script can read: `N passed, N failed[, N skipped]`.
// A test module that could not be loaded counts as one failure, so an empty run never looks like a good one.
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      let own = 0;
      for (const test of module.children.allTests()) {
        own += 1;
        const { state } = test.result();
        if (state === 'passed') count.passed += 1;
        else if (state === 'failed') count.failed += 1;
        else count.skipped += 1;
      }
      if (module.state() === 'failed' && (own === 0 || module.errors().length > 0)) count.failed += 1;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    // After vitest's own summary, so that it is the last line on the screen.
    process.on('exit', () => process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`));
  }
}
