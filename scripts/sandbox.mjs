// `npm run daemon:dev -- --root /some/directory`: the daemon as a plain process, for development and tests. It listens on loopback
// and works only in the given directory, whose previous contents are moved beside it.
import { spawn } from "node:child_process";
import { buildDaemon } from "../container/build.mjs";
import { supervise } from "./supervise.mjs";

const daemon = await buildDaemon();
supervise(() => spawn(process.execPath, [daemon, ...process.argv.slice(2)], { stdio: "inherit" }));
