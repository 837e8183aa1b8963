/**
 * The browser suite, `npm run test:browser`: Debian's Chromium on the real page, served by the real Worker. One server for all files,
 * and one file at a time: they share a machine with it. `STUDIO_URL` (and `STUDIO_GUARDED_URL`, with the suite's
 * token) points it at servers that run already.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: "browser",
    include: ["**/*.test.ts"],
    globalSetup: ["./install.ts", "./servers.ts"],
    fileParallelism: false,
    reporters: ["minimal", "../support/count-reporter.ts"],
    testTimeout: 120_000,
    hookTimeout: 90_000,
  },
});
