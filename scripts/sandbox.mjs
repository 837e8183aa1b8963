// `npm run sandbox -- --root /some/directory`: the daemon as a plain process, for development and tests. It listens on loopback and
// works in the directory that is named, nowhere else; what was in it is moved beside it.
import { spawn } from "node:child_process";
import { buildDaemon } from "../container/build.mjs";

const child = spawn(process.execPath, [await buildDaemon(), ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
