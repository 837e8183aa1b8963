#!/usr/bin/env node
/** The git engine as an executable on ordinary directories, from its sources. */
import { setFlagsFromString } from "node:v8";
import { runBundled } from "../../../scripts/run-bundled.mjs";

// Keeps V8's young generation at its initial size: grown, it is a quarter of a clone's memory.
setFlagsFromString("--semi-space-growth-factor=1");

await runBundled({ name: "wsgit", entry: "packages/git/node/main.ts" });
