/** `wsx git …`: git on the workspace's files. All words after `git` are git's own, and so are the output and the exit code. */
import type { GitEvent } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import { readJsonLines } from "../client/lines.ts";
import { outputBytes } from "../client/output-bytes.ts";
import { type CommandContext, defineCommand } from "../command.ts";

const COULD_NOT_RUN = 125;
/** git commands that read standard input if it is not a terminal. */
const READS_INPUT =
  /^(?:apply|hash-object|cat-file|check-ignore|check-attr|update-index|update-ref|mktree|commit|am|fast-import|unpack-objects|index-pack|stripspace|interpret-trailers|mailinfo|rev-list|diff-tree|credential)$/;

export const git = defineCommand({
  name: "git",
  summary: "Run git on the workspace",
  flags: {},
  operands: [{ name: "argument", kind: "text", many: true }],
  passThrough: "all",
  errorExitCode: COULD_NOT_RUN,
  notes:
    "All arguments after `git` go to git. It runs in /workspace; use `-C <dir>` for another directory. With --json (before `git`): { exitCode, stdout, stderr }.",
  examples: ["wsx git init", "wsx git status --short", "wsx git commit -am 'Say why'", "wsx git log --oneline -5"],
  async run(context, { operands }) {
    const stdin = await inputFor(context, operands);
    const response = await context.api.send("git", {
      method: "POST",
      headers: { Accept: "application/x-ndjson" },
      json: { argv: operands, ...(stdin === null ? {} : { stdin }) },
    });
    return relay(context, readJsonLines<GitEvent>(response));
  },
});

/** Only if git would read it: an open pipe must not block `git status`. */
async function inputFor({ io }: CommandContext, argv: readonly string[]): Promise<string | null> {
  if (io.terminal.stdin || !argv.some((word) => READS_INPUT.test(word))) return null;
  const parts: Uint8Array[] = [];
  for await (const chunk of io.stdin()) parts.push(chunk);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
  } catch {
    throw new CliError(
      "EINVAL",
      "git's input is not UTF-8, which the API does not carry",
      "`wsx put` it, and name the file.",
    );
  }
}

async function relay({ io, json }: CommandContext, events: AsyncIterable<GitEvent>): Promise<number> {
  const retained = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  for await (const event of events) {
    if (event.type === "error")
      throw new CliError(event.error.code, event.error.message, event.error.hint, event.error.path);
    if (event.type === "end") {
      const text = (parts: Uint8Array[]) => Buffer.concat(parts).toString();
      if (json)
        await io.out(
          `${JSON.stringify({ exitCode: event.exitCode, stdout: text(retained.stdout), stderr: text(retained.stderr) })}\n`,
        );
      return event.exitCode;
    }
    const bytes = outputBytes(event.value);
    if (json) retained[event.type].push(bytes);
    else await (event.type === "stdout" ? io.out(bytes) : io.err(bytes));
  }
  throw new CliError("EPROTO", "the answer broke off before git ended");
}
