/** Formats an error for stderr: text for people, the API's own format with --json. An unexpected error is marked as such. */
import { CliError, UNREACHABLE } from "../cli-error.ts";
import { brokenConnection } from "../client/retry.ts";
import { UsageError } from "../flags/usage-error.ts";
import { escapeTerminal } from "./escape-terminal.ts";

export interface FormattedError {
  readonly text: string;
  readonly exitCode: number;
}

const USAGE_EXIT = 2;
const UNREACHABLE_EXIT = 69;

export function formatError(
  error: unknown,
  { json, errorExitCode = 1 }: { json: boolean; errorExitCode?: number },
): FormattedError {
  const { code, message, hint, path } = understoodError(error);
  const exitCode =
    error instanceof UsageError
      ? USAGE_EXIT
      : errorExitCode === 1 && code === UNREACHABLE
        ? UNREACHABLE_EXIT
        : errorExitCode;
  if (json) return { text: `${JSON.stringify({ error: { code, message, path, hint } })}\n`, exitCode };
  const lines = [`wsx: ${code}: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])];
  return { text: `${lines.map(escapeTerminal).join("\n")}\n`, exitCode };
}

/** Code, message and hint of any error. */
export function understoodError(error: unknown): { code: string; message: string; hint?: string; path?: string } {
  if (error instanceof CliError) {
    const { code, message, hint, path } = error;
    return { code, message: withoutCode(message, code), hint, path };
  }
  if (error instanceof UsageError) return { code: "USAGE", message: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code === "string") return { code, message: withoutCode(message, code) };
  const broken = brokenConnection(error);
  if (broken !== null) return brokenOff(broken);
  return { code: "INTERNAL", message: `${error instanceof Error ? error.message : String(error)} (a fault of wsx)` };
}

/** How Node's `fetch` reports a truncated response. */
function brokenOff(code: string): { code: string; message: string; hint: string } {
  const hint = "What was asked for may have been done, wholly or in part: `wsx history` and `wsx exec --list` tell.";
  return { code: UNREACHABLE, message: `the connection broke off before the end of the answer (${code})`, hint };
}

/** File-system messages begin with the code. */
function withoutCode(message: string, code: string): string {
  return message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
}
