/** Streams local entries as a tar. A file whose size changes during the read breaks the stream, and the server then changes nothing. */
import { type ArchiveEntry, maxTarEntrySize, writeTar } from "@workspace/archive";
import { fileChunks } from "./file-chunks.ts";
import type { LocalEntry } from "./local-tree.ts";

export interface TarEntry extends LocalEntry {
  /** The name in the archive. */
  readonly as: string;
}

/** `moved` receives the number of content bytes as they are read. */
export function tarStream(entries: readonly TarEntry[], moved: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  return writeTar(
    (async function* () {
      for (const entry of entries) {
        const content = entry.type === "file" ? { content: fileChunks(entry.path, entry.size, moved) } : {};
        yield { ...archiveEntry(entry), ...content };
      }
    })(),
  );
}

/** The maximum size of an entry in the archive. */
export function tarSize(entry: TarEntry): number {
  return maxTarEntrySize(archiveEntry(entry));
}

function archiveEntry({ as, type, mode, mtimeMs, size, target }: TarEntry): ArchiveEntry {
  return { name: as, type: type === "directory" ? "dir" : type, mode, mtimeMs, size, target };
}
