/** `workspaced` with a disk that can be full and a clock that can jump: the process around it says when. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let full = false;
let jump = 0;
const { writeSync } = fs;
const { now } = Date;

fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
  if (full) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  return writeSync(...args);
}) as typeof writeSync;
syncBuiltinESMExports();
Date.now = () => now() + jump;
process.on("message", (said: { full?: boolean; jump?: number }) => {
  full = said.full ?? full;
  jump = said.jump ?? jump;
  process.send?.({});
});

await import("../../container/src/main.ts");
