/**
 * Falls back to another copy of an object that is damaged in its pack: in another pack, or loose, where a user who restores it puts
 * it. A delta with a damaged base is not rebuilt from another copy of that base.
 */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { PackReader } from "../pack/pack-reader.ts";
import type { ObjectSource } from "./git-object-database.ts";
import type { LooseStore } from "./loose-store.ts";
import type { PackLocation } from "./pack-store.ts";

interface Damage {
  readonly oid: Oid;
  readonly damaged: PackReader;
  readonly error: unknown;
}

/** Rethrows the error if there is no other copy, or if it is not about damage. */
export async function otherCopy<T>(
  odb: { sources(): Promise<readonly ObjectSource[]> },
  { oid, damaged, error }: Damage,
  read: (copy: PackLocation | LooseStore) => Promise<T | null>,
): Promise<T> {
  if (!isDamage(error)) throw error;
  for (const { packs, loose } of await odb.sources()) {
    for (const pack of await packs.packs()) {
      const offset = pack === damaged ? -1 : await pack.find(oid);
      const found = offset < 0 ? null : await read({ pack, offset }).catch(ignoreDamage);
      if (found !== null) return found;
    }
    const found = await read(loose).catch(ignoreDamage);
    if (found !== null) return found;
  }
  throw error;
}

/** Null: async callers search another copy. */
export function intactNow<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch (error) {
    return ignoreDamage(error);
  }
}

export function isDamage(error: unknown): boolean {
  return error instanceof GitError && error.code === "ECORRUPT";
}

function ignoreDamage(error: unknown): null {
  if (!isDamage(error)) throw error;
  return null;
}
