/** Prints an error as git does and returns its exit code. */
import { GitError } from "../../errors.ts";
import { UsageRequest } from "./parse-flags.ts";

type Write = (text: string) => void;

export function printError(error: unknown, out: Write, err: Write): number {
  if (!(error instanceof GitError)) {
    const fault = error instanceof Error ? error : new Error(String(error));
    err(`fatal: ${fault.message}\n`);
    return 128;
  }
  if (error.message !== "") err(`${error.prefix === "" ? "" : `${error.prefix}: `}${error.message}\n`);
  if (error instanceof UsageRequest) out(error.usage);
  if (error.hint) err(error.hint.endsWith("\n") ? error.hint : `${error.hint}\n`);
  return error.exitCode;
}
