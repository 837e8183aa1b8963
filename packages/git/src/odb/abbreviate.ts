/** Abbreviates an object id to the shortest prefix that git would print. */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { GitObjectDatabase } from "./git-object-database.ts";

const MIN = 4;
const USUAL = 7;

/** `length` is a number, or core.abbrev as written; it grows while the prefix is ambiguous. */
export async function abbreviate(
  odb: GitObjectDatabase,
  oid: Oid,
  length: number | string | undefined,
): Promise<string> {
  let digits = await startingLength(odb, length);
  if (digits >= 40) return oid;
  for (const { loose, packs } of await odb.sources()) {
    for (const pack of await packs.packs()) {
      for (; digits < 40; digits++) {
        const others = await pack.index.withPrefix(oid.slice(0, digits), 2);
        if (others.every((other) => other === oid)) break;
      }
    }
    for await (const other of loose.list(oid.slice(0, digits)))
      while (other !== oid && digits < 40 && other.startsWith(oid.slice(0, digits))) digits++;
  }
  return oid.slice(0, digits);
}

async function startingLength(odb: GitObjectDatabase, length: number | string | undefined): Promise<number> {
  if (typeof length === "number") return Math.max(MIN, Math.min(40, length));
  if (length === undefined || length.toLowerCase() === "auto") return guess(odb);
  if (/^(no|off|false)$/i.test(length)) return 40;
  const digits = Number(length);
  if (!Number.isInteger(digits) || digits < MIN || digits > 40)
    throw new GitError("EINVAL", `abbrev length out of range: ${length}`, { prefix: "error" });
  return digits;
}

/** Half as many digits as the bit length of the number of packed objects, so that a collision is unlikely. */
async function guess(odb: GitObjectDatabase): Promise<number> {
  let count = 0;
  for (const { packs } of await odb.sources()) for (const pack of await packs.packs()) count += pack.index.count;
  return Math.max(USUAL, Math.ceil((32 - Math.clz32(count)) / 2));
}
