/** Reads answers too large for a message: a body of a known size, or pages and files in frames. A partial answer is an error. */
import { readFrames, type WireError } from "@workspace/protocol";
import { FsError } from "@workspace/vfs";
import { reviveError } from "./revive.ts";
import type { RpcClient, RpcResult } from "./rpc-client.ts";

export async function takeBytes(
  connection: RpcClient,
  verb: string,
  { value, stream }: RpcResult,
): Promise<Uint8Array> {
  if (stream === undefined) return value as Uint8Array;
  return collect(connection, verb, stream, (value as { size: number }).size);
}

export async function collect(
  connection: RpcClient,
  verb: string,
  stream: ReadableStream<Uint8Array>,
  size: number,
): Promise<Uint8Array> {
  // A Response collects a stream outside of JavaScript, ten times as fast as a loop over its chunks.
  const gathered = new Response(stream).arrayBuffer();
  const bytes = new Uint8Array(
    await gathered.catch((error) => Promise.reject<ArrayBuffer>(connection.lost(verb, error))),
  );
  if (bytes.length === size) return bytes;
  throw new FsError("EIO", { syscall: verb, reason: `${bytes.length} of ${size} bytes arrived` });
}

export async function takeList<T>(connection: RpcClient, verb: string, { value, stream }: RpcResult): Promise<T[]> {
  if (stream === undefined) return value as T[];
  const items: T[] = [];
  for await (const { header } of frames(connection, verb, stream)) items.push(...(header as T[]));
  return complete(verb, items, value);
}

export async function takeFiles(
  connection: RpcClient,
  verb: string,
  { value, stream }: RpcResult,
): Promise<(Uint8Array | null)[]> {
  if (stream === undefined) return value as (Uint8Array | null)[];
  const files: (Uint8Array | null)[] = [];
  for await (const { header, body } of frames(connection, verb, stream)) {
    const { found, error } = header as { found: boolean; error?: WireError };
    if (error !== undefined) throw reviveError(verb, error);
    files.push(found ? body : null);
  }
  return complete(verb, files, value);
}

async function* frames(connection: RpcClient, verb: string, stream: ReadableStream<Uint8Array>) {
  try {
    yield* readFrames(stream);
  } catch (error) {
    throw connection.lost(verb, error);
  }
}

function complete<T>(verb: string, items: T[], value: unknown): T[] {
  const expected = (value as { items: number }).items;
  if (items.length === expected) return items;
  throw new FsError("EIO", { syscall: verb, reason: `${items.length} of ${expected} items arrived` });
}
