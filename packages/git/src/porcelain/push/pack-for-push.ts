/** Streams a pack of the objects that the remote lacks; reports progress in git's words. */

import type { Oid } from "../../object/oid.ts";
import { writePack } from "../../odb/write-pack.ts";
import type { Repository } from "../../repository.ts";
import { type ReachableObject, reachableObjects } from "../../revision/reachable-objects.ts";
import { humanBytes } from "../../wire/human-bytes.ts";
import { ProgressLine } from "../../wire/progress-line.ts";
import { preferredBases } from "./preferred-bases.ts";

export interface PackForPush {
  readonly wants: readonly Oid[];
  readonly haves: readonly Oid[];
  readonly thin: boolean;
  readonly takesOffsets: boolean;
  /** Text for stderr, as it occurs; absent: no progress. */
  readonly progress?: ((text: string) => void) | undefined;
}

export async function* packForPush(
  repo: Repository,
  { wants, haves, thin, takesOffsets, progress }: PackForPush,
): AsyncGenerator<Uint8Array> {
  const objects: ReachableObject[] = [];
  const border: Oid[] = [];
  const onExcluded = (tree: Oid) => void border.push(tree);
  for await (const object of reachableObjects(repo, wants, haves, { onExcluded })) objects.push(object);
  const bases = thin ? await preferredBases(repo, objects, border) : new Map<Oid, Oid>();
  const oids = objects.map(({ oid }) => oid);
  progress?.(`Enumerating objects: ${oids.length}, done.\n`);
  const line = progress === undefined ? null : new ProgressLine("Writing objects", progress);
  let bytes = 0;
  const pieces = writePack(repo.odb, oids, {
    bases,
    namesBases: !takesOffsets,
    ...(line === null ? {} : { progress: (written, total) => line.print(written, total) }),
  });
  for await (const piece of pieces) {
    bytes += piece.length;
    yield piece;
  }
  line?.end(oids.length, `, ${humanBytes(bytes)}`);
}
