#!/usr/bin/env node
/** `wsx`, from its sources. */
import { runBundled } from "../../../scripts/run-bundled.mjs";

await runBundled({
  name: "wsx",
  entry: "packages/cli/node/main.ts",
  // For what the packages inside require of Node itself.
  banner: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
});
