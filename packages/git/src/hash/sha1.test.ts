/** SHA-1 compared with the runtime's, at every length around a block, in pieces, and for objects in place. */
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { oidFromBytes } from "../object/oid.ts";
import { hashObject } from "./hash-object.ts";
import { HEADER_ROOM, hashInPlace } from "./object-hasher.ts";
import { OidTable } from "./oid-table.ts";
import { Sha1 } from "./sha1.ts";

const real = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

describe("Sha1", () => {
  it("gives the runtime's digest at every length up to four blocks", () => {
    const sha1 = new Sha1();
    for (let length = 0; length <= 256; length++) {
      const bytes = randomBytes(length);
      expect(Buffer.from(sha1.reset().update(bytes).digest()).toString("hex")).toBe(real(bytes));
    }
  });

  it("takes bytes in any pieces", () => {
    const bytes = randomBytes(100_000);
    const sha1 = new Sha1();
    let at = 0;
    for (let step = 1; at < bytes.length; step = (step * 7) % 997) {
      sha1.update(bytes, at, Math.min(at + step, bytes.length));
      at += step;
    }
    expect(Buffer.from(sha1.digest()).toString("hex")).toBe(real(bytes));
  });
});

describe("hashInPlace", () => {
  it.each([0, 5, 399, 400, 65_536, 65_537, 300_000])("names an object of %i bytes as hashObject does", (size) => {
    const arena = new Uint8Array(randomBytes(HEADER_ROOM + size + 10));
    const body = arena.slice(HEADER_ROOM, HEADER_ROOM + size);
    const name = new Uint8Array(20);
    hashInPlace("blob", arena, HEADER_ROOM, size, name, 0);
    expect(oidFromBytes(name)).toBe(hashObject("blob", body));
    expect(oidFromBytes(name)).toBe(real(Buffer.concat([Buffer.from(`blob ${size}\0`), body])));
  });
});

describe("OidTable", () => {
  it("keeps every name once, in the order they came", () => {
    const table = new OidTable();
    const names = Array.from({ length: 5000 }, (_, i) => hashObject("blob", Buffer.from(`${i % 3000}`)));
    for (const name of names) table.add(name);
    expect(table.count).toBe(3000);
    expect(Array.from({ length: 3000 }, (_, row) => table.oid(row))).toEqual(names.slice(0, 3000));
    expect(table.find(names[4999] as (typeof names)[0])).toBe(1999);
    expect(table.has(hashObject("blob", Buffer.from("another")))).toBe(false);
  });
});
