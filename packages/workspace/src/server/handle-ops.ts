/** The operations of a client on a file handle that is open here. The client handles offsets and buffers; here are only bytes. */
import { ownBytes, RPC_LIMITS } from "@workspace/protocol";
import { type FileHandle, FsError } from "@workspace/vfs";
import { bytes, either, integer, nullable, optional, size, text, time } from "./arguments.ts";
import { answerBytes } from "./encode-reply.ts";
import { toWireStat } from "./plain.ts";
import { type Verb, verbDefiner } from "./verb.ts";

const op = verbDefiner<FileHandle>();
const done = (work: Promise<unknown>) => work.then(() => ({}));

export const handleOps: ReadonlyMap<string, Verb<FileHandle>> = new Map<string, Verb<FileHandle>>([
  ["read", op([size, nullable(integer)], (handle, length, position) => read(handle, length, position))],
  ["write", op([bytes, nullable(integer)], (handle, data, position) => write(handle, data, position))],
  ["readFile", op([], async (handle) => answerBytes(await handle.readFile()))],
  ["writeFile", op([bytes], (handle, data) => done(handle.writeFile(data)))],
  ["appendFile", op([bytes], (handle, data) => done(handle.appendFile(data)))],
  ["truncate", op([optional(integer)], (handle, length) => done(handle.truncate(length)))],
  ["stat", op([], async (handle) => ({ value: toWireStat(await handle.stat()) }))],
  ["chmod", op([either(integer, text)], (handle, mode) => done(handle.chmod(mode)))],
  ["utimes", op([time, time], (handle, atime, mtime) => done(handle.utimes(atime, mtime)))],
  ["sync", op([], (handle) => done(handle.sync()))],
  ["datasync", op([], (handle) => done(handle.datasync()))],
  ["close", op([], (handle) => done(handle.close()))],
]);

async function read(handle: FileHandle, length: number, position: number | null) {
  if (length > RPC_LIMITS.handleBytes) {
    throw new FsError("EINVAL", { syscall: "read", reason: `one read is at most ${RPC_LIMITS.handleBytes} bytes` });
  }
  const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, position);
  return { value: ownBytes(buffer.subarray(0, bytesRead)) };
}

async function write(handle: FileHandle, data: Uint8Array, position: number | null) {
  const { bytesWritten } = await handle.write(data, 0, data.length, position);
  return { value: bytesWritten };
}

/**
 * For a handle whose client is gone without closing it: unsynced writes were never promised, and are dropped. Closing would make
 * half a file visible.
 */
export async function releaseHandle(handle: FileHandle & Partial<Disposable>): Promise<void> {
  const drop = handle[Symbol.dispose];
  if (drop === undefined) await handle.close();
  else drop.call(handle);
}
