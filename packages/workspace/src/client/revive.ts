/** Rebuilds plain data from RPC: errors with their class, stats and directory entries with their methods. */
import { GitError, type GitErrorCode } from "@workspace/git/errors";
import { isFsErrorCode, type WireDirent, type WireError, type WireStat } from "@workspace/protocol";
import { ShellError, type ShellErrorCode } from "@workspace/shell/errors";
import { DirectoryEntry, type Dirent, type FileStat, FsError, Stats } from "@workspace/vfs";
import { WorkspaceRpcError } from "./rpc-error.ts";

export function reviveError(verb: string, wire: WireError): FsError | GitError | ShellError | WorkspaceRpcError {
  const { code, syscall, path, dest, oldest, conflicts, message } = wire;
  const refusal = wire.refusal as FsError["refusal"];
  if (wire.name === "GitError") return reviveGitError(wire);
  if (wire.name === "ShellError") return new ShellError(code as ShellErrorCode, message);
  if (!isFsErrorCode(code)) {
    const cause = Object.assign(new Error(message), wire.name === undefined ? {} : { name: wire.name });
    return new WorkspaceRpcError("ERR_WORKSPACE_REMOTE", verb, message, cause);
  }
  const fields = { syscall, path, dest, oldest, conflicts, refusal };
  return new FsError(code, {
    ...fields,
    reason: reasonIn(message, new FsError(code, { ...fields, reason: "" }).message),
  });
}

function reviveGitError({ message, code, exitCode, prefix, hint }: WireError): GitError {
  return new GitError(code as GitErrorCode, message, { exitCode, prefix: prefix as GitError["prefix"], hint });
}

export function reviveStat(wire: WireStat): FileStat {
  return new Stats(wire);
}

export function reviveDirent({ name, parentPath, type }: WireDirent): Dirent {
  return new DirectoryEntry(name, parentPath, type);
}

/** The text between the code and the subject: `bare` is the same message without any. */
function reasonIn(message: string, bare: string): string {
  const start = bare.indexOf(": ") + 2;
  const tail = bare.slice(start);
  return tail !== "" && message.endsWith(tail)
    ? message.slice(start, message.length - tail.length)
    : message.slice(start);
}
