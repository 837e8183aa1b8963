// The real ripgrep 15.0.0, from the npm package @vscode/ripgrep 1.18.0 or from RG_PATH. Without either the oracle tests fail: a
// skipped oracle looks like a passed one.
import { execFile } from "node:child_process";

/** Not a literal, so that the types do not depend on the package being installed. */
const PACKAGE: string = "@vscode/ripgrep";

export interface RipgrepResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function ripgrep(
  cwd: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RipgrepResult> {
  const path = await ripgrepPath();
  return new Promise((resolve) => {
    execFile(
      path,
      ["--no-config", ...argv],
      { cwd, maxBuffer: 2 ** 26, env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        resolve({ status: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      },
    );
  });
}

async function ripgrepPath(): Promise<string> {
  if (process.env.RG_PATH) return process.env.RG_PATH;
  const { rgPath } = (await import(PACKAGE)) as { rgPath: string };
  return rgPath;
}
