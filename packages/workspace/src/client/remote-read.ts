/** `read`: content, version and stat of one moment; a large content comes as a stream after them. */
import type { WireStat } from "@workspace/protocol";
import type { FileRead } from "@workspace/vfs";
import type { Connection } from "./connection.ts";
import { collect } from "./incoming.ts";
import { reviveStat } from "./revive.ts";

export async function remoteRead(connection: Connection, path: string): Promise<FileRead> {
  const { value, stream } = await connection.call("read", [path]);
  const { stat: wire, content } = value as { stat: WireStat; content?: Uint8Array };
  const stat = reviveStat(wire);
  return { content: content ?? (await collect(connection, "read", stream!, stat.size)), version: stat.version, stat };
}
