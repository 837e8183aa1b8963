/** Runs git by argv. `runGit` waits for the end; `streamGit` reports progress. */
import type { GitEvent, GitResponse, OutputText } from "@workspace/worker/api";
import { ApiError } from "./api-error.ts";
import { ndjson } from "./ndjson.ts";
import { absolute, workspaceUrl } from "./path.ts";
import { send, sendForJson } from "./request.ts";

export interface GitOutcome {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The output was not text. */
  binary: boolean;
}

export interface GitOptions {
  signal?: AbortSignal;
  stdin?: string;
  /** Groups its changes in the log. */
  callId?: string;
}

export async function runGit(workspace: string, argv: string[], options: GitOptions = {}): Promise<GitOutcome> {
  const { signal, stdin, callId } = options;
  const json = { argv, cwd: absolute(""), stdin };
  const headers: Record<string, string> = callId === undefined ? {} : { "X-Workspace-Call": callId };
  const url = workspaceUrl(workspace, "git");
  const answer = await sendForJson<GitResponse>(url, { method: "POST", json, headers, signal });
  const binary = typeof answer.stdout !== "string";
  return { exitCode: answer.exitCode, stdout: text(answer.stdout), stderr: text(answer.stderr), binary };
}

/** Like `runGit`, but throws git's message on failure. */
export async function runGitOrThrow(workspace: string, argv: string[], options: GitOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await runGit(workspace, argv, options);
  if (exitCode === 0) return stdout;
  throw gitError(argv, exitCode, stderr || stdout);
}

export async function streamGit(
  workspace: string,
  argv: string[],
  onText: (text: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const headers = { Accept: "application/x-ndjson" };
  const json = { argv, cwd: absolute("") };
  const response = await send(workspaceUrl(workspace, "git"), { method: "POST", json, headers, signal });
  let reported = "";
  for await (const event of ndjson<GitEvent>(response)) {
    if (event.type === "error") throw new ApiError(200, event.error);
    if (event.type === "end") {
      if (event.exitCode !== 0) throw gitError(argv, event.exitCode, reported);
      return;
    }
    const part = text(event.value);
    reported += part;
    onText(part);
  }
  throw new ApiError(0, { code: "BROKEN", message: "the connection closed before git finished" });
}

function gitError(argv: string[], exitCode: number, reported: string): ApiError {
  const message = reported.trim() || `git ${argv[0]} ended with exit code ${exitCode}`;
  return new ApiError(200, { code: "GIT", message });
}

function text(output: OutputText): string {
  if (typeof output === "string") return output;
  return new TextDecoder().decode(Uint8Array.from(atob(output.base64), (c) => c.charCodeAt(0)));
}
