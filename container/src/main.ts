/** `workspaced`: runs commands on a native copy of a workspace's tree and reports what they changed. Linux only. */
import { chownSync, mkdirSync, realpathSync } from "node:fs";
import { Daemon } from "./daemon.ts";
import { parseFlags } from "./daemon-flags.ts";
import { readSecretFile } from "./secret-file.ts";
import { serve } from "./server.ts";

const flags = parseFlags(process.argv.slice(2));
if ("text" in flags) {
  (flags.exitCode === 0 ? process.stdout : process.stderr).write(flags.text);
  process.exit(flags.exitCode);
}
if (process.platform !== "linux") {
  process.stderr.write("workspaced: needs Linux: it holds directories open by /proc\n");
  process.exit(2);
}
mkdirSync(flags.root, { recursive: true });
const root = realpathSync(flags.root);
if (flags.uid !== null && process.getuid?.() !== 0) {
  process.stderr.write("workspaced: --uid needs root\n");
  process.exit(2);
}
const owner = flags.uid === null ? null : { uid: flags.uid, gid: flags.gid ?? flags.uid };
let secret: string | null = null;
try {
  if (flags.secretFile !== null) secret = readSecretFile(flags.secretFile);
} catch (error) {
  process.stderr.write(`workspaced: ${(error as Error).message}\n`);
  process.exit(2);
}
const daemon = new Daemon({ root, owner, home: flags.home ?? root, user: "agent", secret });
if (owner !== null) chownSync(root, owner.uid, owner.gid);
const { port } = await serve(daemon, flags);
if (daemon.previousTreePath !== undefined)
  process.stdout.write(`what was in ${root} is in ${daemon.previousTreePath}\n`);
if (flags.secretFile !== null)
  process.stdout.write(`its secret is in ${flags.secretFile}: pass it to the workspace as sandboxSettings.secret\n`);
if (owner === null) process.stdout.write("commands run as the same user as this process: nothing keeps them from it\n");
process.stdout.write(`workspaced listens on ${flags.host}:${port}, tree in ${root}\n`);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    daemon.close();
    process.exit(0);
  });
}
