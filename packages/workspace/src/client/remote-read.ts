/** `readFile`, and `read`: content, version and stat of one state; a large content follows as a stream. */
import type { WireStat } from "@workspace/protocol";
import { decodeText, encodingOf, type FileRead, optionsOf, type ReadFileOptions, throwIfAborted } from "@workspace/vfs";
import { collect, takeBytes } from "./incoming.ts";
import { reviveStat } from "./revive.ts";
import type { RpcClient } from "./rpc-client.ts";

export async function remoteRead(connection: RpcClient, path: string): Promise<FileRead> {
  const { value, stream } = await connection.call("read", [path]);
  const { stat: wire, content } = value as { stat: WireStat; content?: Uint8Array };
  const stat = reviveStat(wire);
  return { content: content ?? (await collect(connection, "read", stream!, stat.size)), version: stat.version, stat };
}

/** A signal is checked before and after: the object finishes what it has begun. */
export async function remoteReadFile(
  connection: RpcClient,
  path: string,
  options: unknown,
): Promise<Uint8Array | string> {
  const { encoding: named, flag, signal } = optionsOf<ReadFileOptions>("readFile", options, path);
  const encoding = encodingOf(named, "open", path);
  throwIfAborted(signal, "open", path);
  const args = flag === undefined || flag === null ? [path] : [path, { flag }];
  const bytes = await takeBytes(connection, "read", await connection.call("readFile", args));
  throwIfAborted(signal, "read", path);
  return encoding === undefined ? bytes : decodeText(bytes, encoding, "read", path);
}
