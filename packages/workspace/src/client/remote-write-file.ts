/** `writeFile` and `appendFile`: content of any kind in one call. When its source breaks or the signal fires, nothing is written. */
import {
  type Content,
  optionsOf,
  type TextEncodingName,
  throwIfAborted,
  type WriteFileOptions,
  type Written,
} from "@workspace/vfs";
import type { Connection } from "./connection.ts";
import { outgoing } from "./outgoing.ts";

export async function remoteWriteFile(
  connection: Connection,
  verb: "writeFile" | "appendFile",
  path: string,
  content: Content,
  options: WriteFileOptions | TextEncodingName = {},
): Promise<Written> {
  const { signal, ...rest } = optionsOf<WriteFileOptions>(verb, options, path);
  throwIfAborted(signal, "open", path);
  const { sent, body, broken } = outgoing(content, { path, encoding: rest.encoding, signal });
  try {
    return (await connection.call(verb, [path, sent, rest], { body })).value as Written;
  } catch (error) {
    const source = broken?.();
    throw source === undefined ? error : source.error;
  }
}
