/** `workspaced` with a disk that can be full, a clock that can jump and a stopwatch that can stop: the process around it says when. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let full = false;
let jump = 0;
let stopped = false;
const { writeSync } = fs;
const { now } = Date;
const stopwatch = performance.now.bind(performance);

fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
  if (full) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  return writeSync(...args);
}) as typeof writeSync;
syncBuiltinESMExports();
Date.now = () => now() + jump;
performance.now = () => (stopped ? 0 : stopwatch());
process.on("message", (reported: { full?: boolean; jump?: number; stopped?: boolean }) => {
  full = reported.full ?? full;
  jump = reported.jump ?? jump;
  stopped = reported.stopped ?? stopped;
  process.send?.({});
});

await import("../../../container/src/main.ts");
