/**
 * Verbs that return bytes or long lists. A large file is streamed from its rows, with the stat of exactly those bytes: read before
 * and after the stream is opened, and equal both times.
 */
import { encodeFrame, ownBytes, RPC_LIMITS, type WorkspaceAnswer } from "@workspace/protocol";
import { type ByteRange, type FileStat, type FileSystem, FsError, type ReaddirOptions } from "@workspace/vfs";
import type { CallContext } from "./call-context.ts";
import { answerBytes, answerList, toReadableStream } from "./encode-reply.ts";
import { plainDirent, toWireStat } from "./plain.ts";
import { toWireError } from "./wire-error.ts";

export async function readFile(
  { fs }: CallContext,
  path: string,
  { flag }: { flag?: string | number } = {},
): Promise<WorkspaceAnswer> {
  if (flag !== undefined) return answerBytes(await fs.readFile(path, { flag }));
  const body = await openLarge(fs, path);
  if (body === null) return answerBytes(await fs.readFile(path));
  return { value: { size: body.stat.size }, stream: body.stream };
}

export async function read({ fs }: CallContext, path: string): Promise<WorkspaceAnswer> {
  const body = await openLarge(fs, path);
  if (body !== null) return { value: { stat: toWireStat(body.stat) }, stream: body.stream };
  const { content, stat } = await fs.read(path);
  const { value, stream } = answerBytes(content);
  return stream ? { value: { stat: toWireStat(stat) }, stream } : { value: { stat: toWireStat(stat), content: value } };
}

export async function readStream({ fs }: CallContext, path: string, range?: ByteRange): Promise<WorkspaceAnswer> {
  return { stream: await fs.readStream(path, range) };
}

export async function readRange(
  { fs }: CallContext,
  path: string,
  start: number,
  length: number,
): Promise<WorkspaceAnswer> {
  return answerBytes(await fs.readRange(path, start, length));
}

/** A few small files are inside the message; more are read in batches while the client consumes them. */
export async function readMany({ fs }: CallContext, paths: readonly string[]): Promise<WorkspaceAnswer> {
  const first = await fs.readMany(paths.slice(0, RPC_LIMITS.readManyItems));
  const total = first.reduce((sum, bytes) => sum + (bytes?.byteLength ?? 0), 0);
  if (paths.length <= first.length && total <= RPC_LIMITS.inlineBytes) {
    return { value: first.map((bytes) => bytes && ownBytes(bytes)) };
  }
  return { value: { items: paths.length }, stream: toReadableStream(manyFrames(fs, paths, first)) };
}

export async function readdir(
  { fs }: CallContext,
  path: string,
  options: ReaddirOptions = {},
): Promise<WorkspaceAnswer> {
  const { withFileTypes, ...rest } = options;
  if (!withFileTypes) return answerList(await fs.readdir(path, rest as ReaddirOptions & { withFileTypes?: false }));
  return answerList((await fs.readdir(path, { ...rest, withFileTypes: true })).map(plainDirent));
}

export async function scan(
  { fs }: CallContext,
  path: string,
  page?: { after?: string; limit?: number },
): Promise<WorkspaceAnswer> {
  return answerList((await fs.scan(path, page)).map(({ name, stat }) => ({ name, stat: toWireStat(stat) })));
}

const ATTEMPTS = 4;

/** Null for what `readFile` itself should answer: small files, files too large to collect, and everything that is not a file. */
async function openLarge(
  fs: FileSystem,
  path: string,
): Promise<{ stat: FileStat; stream: ReadableStream<Uint8Array> } | null> {
  let before = await fs.stat(path).catch(() => null);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (before === null || before.type !== "file") return null;
    if (before.size <= RPC_LIMITS.inlineBytes || before.size > RPC_LIMITS.collectBytes) return null;
    const stream = await fs.readStream(path);
    const after = await fs.stat(path).catch(() => null);
    if (after?.version === before.version) return { stat: before, stream };
    await stream.cancel();
    before = after;
  }
  throw new FsError("EAGAIN", { syscall: "read", path, reason: "the file changes faster than it can be opened" });
}

/** A frame per file; an error midway is a frame too, because a broken stream loses its reason. */
async function* manyFrames(
  fs: FileSystem,
  paths: readonly string[],
  first: (Uint8Array | null)[],
): AsyncGenerator<Uint8Array> {
  try {
    let group = first;
    let read = 0;
    while (group.length > 0) {
      for (const bytes of group) yield* encodeFrame({ found: bytes !== null }, bytes ?? undefined);
      read += group.length;
      group = await fs.readMany(paths.slice(read, read + RPC_LIMITS.readManyItems));
    }
  } catch (error) {
    yield* encodeFrame({ error: toWireError(error) });
  }
}
