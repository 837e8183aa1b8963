/** The machine's git with its default configuration, for creating and serving repositories. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export const gitEnvironment = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  LC_ALL: "C",
  TZ: "UTC",
  GIT_AUTHOR_NAME: "Bench",
  GIT_AUTHOR_EMAIL: "bench@example.com",
  GIT_COMMITTER_NAME: "Bench",
  GIT_COMMITTER_EMAIL: "bench@example.com",
};

const run = promisify(execFile);

export async function runGit(cwd: string, argv: readonly string[]): Promise<string> {
  const { stdout } = await run("git", [...argv], { cwd, env: gitEnvironment, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
