/** Errors cross as values: classes do not survive Workers RPC, and own properties only under newer compatibility dates. */
import type { GitError } from "@workspace/git";
import type { WireError } from "@workspace/protocol";
import type { ShellError } from "@workspace/shell";
import { FsError } from "@workspace/vfs";

export function toWireError(error: unknown): WireError {
  if (error instanceof FsError) {
    const { message, code, syscall, path, dest, oldest, conflicts, refusal } = error;
    return { message, code, ...defined({ syscall, path, dest, oldest, conflicts, refusal }) };
  }
  if (isGitError(error)) {
    const { message, code, exitCode, prefix, hint } = error;
    return { message, name: "GitError", code, ...defined({ exitCode, prefix, hint }) };
  }
  if (isShellError(error)) return { message: error.message, name: "ShellError", code: error.code };
  if (error instanceof Error) return { message: error.message, name: error.name };
  return { message: String(error) };
}

/** By name: the classes come with the engines, which may not be loaded. */
function isGitError(error: unknown): error is GitError {
  return error instanceof Error && error.name === "GitError";
}

function isShellError(error: unknown): error is ShellError {
  return error instanceof Error && error.name === "ShellError";
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
