/** Objects that are only thought of: what is written stays in memory, over a database that is read and never written to. */
import { hashObject } from "../hash/hash-object.ts";
import type { GitObject, ObjectDatabase, ReadObject } from "../object-database.ts";
import type { Oid } from "../oid.ts";

export function overlayObjects(base: ObjectDatabase): ObjectDatabase {
  const kept = new Map<Oid, GitObject>();
  const write: ObjectDatabase["write"] = async (type, body) => {
    const oid = hashObject(type, body);
    if (!kept.has(oid)) kept.set(oid, { type, body: body.slice() });
    return oid;
  };
  return {
    read: async (oid) => kept.get(oid) ?? base.read(oid),
    peek: (oid) => kept.get(oid) ?? base.peek(oid),
    need: async (oid, type) => {
      const object = kept.get(oid);
      return object && (type === undefined || object.type === type) ? object : base.need(oid, type);
    },
    header: async (oid) => {
      const object = kept.get(oid);
      return object ? { type: object.type, size: object.body.length } : base.header(oid);
    },
    has: async (oid) => kept.has(oid) || base.has(oid),
    missing: (oids) => base.missing(oids.filter((oid) => !kept.has(oid))),
    stream: async (oid) => {
      const object = kept.get(oid);
      return object ? pieces([object.body]) : base.stream(oid);
    },
    readMany: (oids) => readMany(kept, base, oids),
    write,
    writeMany: (objects) => Promise.all(objects.map(({ type, body }) => write(type, body))),
    // Nothing that is merged in memory comes from a stream; if it did, it would be too large to think of.
    writeStream: (size, content) => base.writeStream(size, content),
    withPrefix: (prefix, most) => base.withPrefix(prefix, most),
    abbreviate: (oid, length) => base.abbreviate(oid, length),
    refresh: () => base.refresh(),
  };
}

async function* pieces(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function* readMany(
  kept: ReadonlyMap<Oid, GitObject>,
  base: ObjectDatabase,
  oids: readonly Oid[],
): AsyncGenerator<ReadObject> {
  for (const oid of new Set(oids)) {
    const object = kept.get(oid);
    if (object) yield { oid, object };
  }
  yield* base.readMany(oids.filter((oid) => !kept.has(oid)));
}
