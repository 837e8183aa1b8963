#!/usr/bin/env node
/** `wsx`, from its sources. */
import { runBundled } from "../../../scripts/run-bundled.mjs";

await runBundled({
  name: "wsx",
  entry: "packages/cli/node/main.ts",
  // For `require` of Node's modules in the bundled packages.
  banner: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
});
