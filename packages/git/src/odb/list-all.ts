/** Every object of a database, including alternates: packed and loose, each once. */
import type { Oid } from "../object/oid.ts";
import type { GitObjectDatabase } from "./git-object-database.ts";

/** In order of ids, a 256th at a time, which bounds the memory. */
export async function* listAll(odb: GitObjectDatabase): AsyncGenerator<Oid> {
  for (let byte = 0; byte < 256; byte++) {
    const prefix = byte.toString(16).padStart(2, "0");
    const found = new Set<Oid>();
    for (const { loose, packs } of await odb.sources()) {
      for (const pack of await packs.packs())
        for (const oid of await pack.index.withPrefix(prefix, Number.POSITIVE_INFINITY)) found.add(oid);
      for await (const oid of loose.list(prefix)) found.add(oid);
    }
    yield* [...found].sort();
  }
}
