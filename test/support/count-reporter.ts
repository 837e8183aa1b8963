/** Prints `6032 passed, 0 failed` as the last line of a run. */
import type { Reporter, TestModule } from "vitest/node";

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // A file that does not load, and an error that no test caught, are failures too.
    let failed = errors.length + modules.filter((module) => module.errors().length > 0).length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed++;
        else if (state === "failed") failed++;
      }
    }
    console.log(`${passed} passed, ${failed} failed`);
  }
}
