/** Overlay object database: writes stay in memory, over a database that is only read. */
import { hashObject } from "../hash/hash-object.ts";
import type { Oid } from "../object/oid.ts";
import type { GitObject, ObjectDatabase, ReadObject } from "./object-database.ts";

export function overlayObjects(base: ObjectDatabase): ObjectDatabase {
  const retained = new Map<Oid, GitObject>();
  const write: ObjectDatabase["write"] = async (type, body) => {
    const oid = hashObject(type, body);
    if (!retained.has(oid)) retained.set(oid, { type, body: body.slice() });
    return oid;
  };
  return {
    read: async (oid) => retained.get(oid) ?? base.read(oid),
    peek: (oid) => retained.get(oid) ?? base.peek(oid),
    need: async (oid, type) => {
      const object = retained.get(oid);
      return object && (type === undefined || object.type === type) ? object : base.need(oid, type);
    },
    header: async (oid) => {
      const object = retained.get(oid);
      return object ? { type: object.type, size: object.body.length } : base.header(oid);
    },
    has: async (oid) => retained.has(oid) || base.has(oid),
    missing: (oids) => base.missing(oids.filter((oid) => !retained.has(oid))),
    stream: async (oid) => {
      const object = retained.get(oid);
      return object ? pieces([object.body]) : base.stream(oid);
    },
    readMany: (oids) => readMany(retained, base, oids),
    write,
    writeMany: (objects) => Promise.all(objects.map(({ type, body }) => write(type, body))),
    // A merge in memory never writes from a stream; such content would be too large to hold.
    writeStream: (size, content) => base.writeStream(size, content),
    withPrefix: (prefix, max) => base.withPrefix(prefix, max),
    abbreviate: (oid, length) => base.abbreviate(oid, length),
    refresh: () => base.refresh(),
  };
}

async function* pieces(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function* readMany(
  retained: ReadonlyMap<Oid, GitObject>,
  base: ObjectDatabase,
  oids: readonly Oid[],
): AsyncGenerator<ReadObject> {
  for (const oid of new Set(oids)) {
    const object = retained.get(oid);
    if (object) yield { oid, object };
  }
  yield* base.readMany(oids.filter((oid) => !retained.has(oid)));
}
