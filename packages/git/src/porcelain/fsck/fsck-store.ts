/** Checks the files of the object database for `fsck`: every loose copy, even if packed, and the checksums of packs and indexes. */

import { GitError } from "../../errors.ts";
import { objectHeader } from "../../hash/hash-object.ts";
import { createStreamingHash } from "../../hash/streaming-hash.ts";
import { type Oid, oidFromBytes } from "../../object/oid.ts";
import { checkLooseObject } from "../../odb/check-loose-object.ts";
import type { GitObjectDatabase } from "../../odb/git-object-database.ts";
import type { ObjectType } from "../../odb/object-database.ts";
import type { Repository } from "../../repository.ts";
import { equalBytes } from "../../text/bytes.ts";

const TYPES: readonly string[] = ["commit", "tree", "blob", "tag"];
const STEP = 1024 * 1024;

export interface StoredObject {
  readonly type: ObjectType;
  /** Null: a blob too large for memory. */
  readonly body: Uint8Array | null;
  /** The object exists, but its content cannot be read. */
  readonly corrupt?: boolean;
}

/** Null: the object is invalid, and the fault has been reported. */
export async function checkLoose(
  odb: GitObjectDatabase,
  oid: Oid,
  path: string,
  displayed: string,
  print: (fault: string) => void,
): Promise<StoredObject | null> {
  const examined = await checkLooseObject(odb, oid, path, displayed);
  if (examined.kind === "corrupt") {
    for (const fault of examined.faults) print(fault);
    print(`${oid}: object corrupt or missing: ${displayed}`);
    return null;
  }
  const { name, type, body } = examined;
  if (name !== oid) print(`${name}: hash-path mismatch, found at: ${displayed}`);
  if (!TYPES.includes(type)) print(`${name}: object is of unknown type '${type}': ${displayed}`);
  return name === oid && TYPES.includes(type) ? { type: type as ObjectType, body } : null;
}

/** The id of a packed blob that is too large for memory. */
export async function nameOfLarge(odb: GitObjectDatabase, oid: Oid, size: number): Promise<Oid> {
  const hash = createStreamingHash();
  hash.update(objectHeader("blob", size));
  for await (const piece of await odb.stream(oid)) hash.update(piece);
  return oidFromBytes(hash.digest());
}

/** Whether a pack and its index match their checksums in the last twenty bytes; reports mismatches. */
export async function checkPack(
  { fs }: GitObjectDatabase,
  path: string,
  displayed: string,
  print: (fault: string) => void,
): Promise<boolean> {
  const index = await trailer(
    fs,
    path.replace(/pack$/, () => "idx"),
  );
  const pack = await trailer(fs, path);
  if (!index.holds) print(`Packfile index for ${displayed} hash mismatch`);
  if (!pack.holds) print(`${displayed} pack checksum mismatch`);
  else if (!equalBytes(pack.last, index.before)) print(`packfile ${displayed} does not match index`);
  return index.holds && pack.holds && equalBytes(pack.last, index.before);
}

async function trailer(fs: GitObjectDatabase["fs"], path: string) {
  const { size } = await fs.stat(path);
  const hash = createStreamingHash();
  for (let at = 0; at < size - 20; at += STEP)
    hash.update(await fs.readRange(path, at, Math.min(STEP, size - 20 - at)));
  const last = await fs.readRange(path, Math.max(0, size - 20), 20);
  return { holds: equalBytes(hash.digest(), last), last, before: await fs.readRange(path, Math.max(0, size - 40), 20) };
}

/** Only fsck verifies the checksum of the index: `status` would have to hash all of it. */
export async function checkIndexSum({ fs, indexPath }: Repository): Promise<void> {
  const [content] = await fs.readMany([indexPath]);
  if (!content || content.length < 32) return;
  const sum = content.subarray(-20);
  const hash = createStreamingHash();
  hash.update(content.subarray(0, -20));
  if (sum.every((byte) => byte === 0) || equalBytes(hash.digest(), sum)) return;
  throw new GitError("ECORRUPT", "bad index file sha1 signature\nfatal: index file corrupt", { prefix: "error" });
}
