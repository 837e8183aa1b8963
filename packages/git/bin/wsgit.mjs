#!/usr/bin/env node
/** The git engine as an executable on ordinary directories, from its sources. */
import { runBundled } from "../../../scripts/run-bundled.mjs";

await runBundled({ name: "wsgit", entry: "packages/git/node/main.ts" });
