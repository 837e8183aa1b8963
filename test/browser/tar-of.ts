/** A tar of empty files. */
import { type ArchiveEntry, writeTar } from "@workspace/archive";

export async function tarOf(names: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const entries = async function* (): AsyncGenerator<ArchiveEntry> {
    for (const name of names) yield { name, type: "file", mode: 0o644, mtimeMs: 0, size: 0 };
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeTar(entries())) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
