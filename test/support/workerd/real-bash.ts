/** The real bash on real files, with the real ripgrep in its path, for the shell's oracle: `POST ShellQuestion` gives `ShellAnswer[]`. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import type { ShellAnswer, ShellQuestion } from "../../oracle/shell/question.ts";

export async function realBash(request: Request): Promise<Response> {
  const { files, scripts } = (await request.json()) as ShellQuestion;
  const answers: ShellAnswer[] = [];
  for (const script of scripts) answers.push(await run(files, script));
  return Response.json(answers);
}

async function run(files: ShellQuestion["files"], script: string): Promise<ShellAnswer> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "workspace-bash-")));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), Buffer.from(content, "latin1"));
    }
    const env = { PATH: `/usr/bin:/bin:${dirname(rgPath)}`, HOME: root, LC_ALL: "C.UTF-8", USER: "workspace" };
    const options = { cwd: root, env, encoding: "latin1" as const, timeout: 20_000, maxBuffer: 64 * 1024 * 1024 };
    return await new Promise((resolve) => {
      const child = execFile("/bin/bash", ["-c", `exec < /dev/null; ${script}`], options, (error, stdout, stderr) => {
        const text = (output: string) =>
          Buffer.from(
            output.replaceAll(root, () => "ROOT"),
            "latin1",
          );
        const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ exitCode, stdout: text(stdout).toString("base64"), stderr: text(stderr).toString("utf8") });
      });
      child.stdin?.end();
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
