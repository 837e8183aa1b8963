/** `writeFile` and `appendFile`: content of any kind in one call. When its source breaks or the signal fires, nothing is written. */
import {
  type Content,
  optionsOf,
  type TextEncodingName,
  throwIfAborted,
  type WriteFileOptions,
  type WriteResult,
} from "@workspace/vfs";
import { encodeContent } from "./encode-content.ts";
import type { RpcClient } from "./rpc-client.ts";

export async function remoteWriteFile(
  connection: RpcClient,
  verb: "writeFile" | "appendFile",
  path: string,
  content: Content,
  options: WriteFileOptions | TextEncodingName = {},
): Promise<WriteResult> {
  const { signal, ...rest } = optionsOf<WriteFileOptions>(verb, options, path);
  throwIfAborted(signal, "open", path);
  const { sent, body, broken } = encodeContent(content, { path, encoding: rest.encoding, signal });
  try {
    return (await connection.call(verb, [path, sent, rest], { body })).value as WriteResult;
  } catch (error) {
    const source = broken?.();
    throw source === undefined ? error : source.error;
  }
}
