/** Moves loose refs into packed-refs: all of them, or tags and those already packed. */

import type { GitHost } from "../host.ts";
import { lockFile } from "../lock-file.ts";
import type { Oid } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import { compareText, decode } from "../text/bytes.ts";
import { formatPackedRefs, type PackedRef } from "./packed-refs.ts";
import { openRefFiles, parseLooseRef } from "./ref-files.ts";
import type { RefStore } from "./ref-store.ts";
import { removeEmptyParents } from "./write-reflog.ts";

interface PackRefsContext {
  readonly host: GitHost;
  readonly gitDir: string;
  readonly commonDir?: string;
  readonly refs: Pick<RefStore, "list">;
  readonly warn?: ((text: string, prefix: "error") => void) | undefined;
  /** The peeled object of a tag; null: missing. */
  readonly peel: (oid: Oid) => Promise<{ oid: Oid; type: ObjectType } | null>;
}

interface PackRefsOptions {
  /** Branches too, not only tags and what was packed before. */
  readonly all?: boolean;
  /** Remove the loose files; default true. */
  readonly prune?: boolean;
}

export async function packRefs(
  { host, gitDir, commonDir = gitDir, refs, peel, warn }: PackRefsContext,
  { all = false, prune = true }: PackRefsOptions = {},
): Promise<void> {
  const files = openRefFiles(host.fs, gitDir, commonDir);
  const before = await files.packed();
  const lock = await lockFile(host, `${commonDir}/packed-refs`);
  const moved: { name: string; oid: Oid }[] = [];
  try {
    const packed = new Map<string, PackedRef>(before.refs.map((ref) => [ref.name, ref]));
    for (const { name, oid, target } of await refs.list("refs/", { broken: () => {} })) {
      if (target !== undefined || files.path(name) !== `${commonDir}/${name}`) continue;
      if (!all && !name.startsWith("refs/tags/") && !packed.has(name)) continue;
      const end = await peel(oid);
      if (!end) {
        warn?.(`${name} does not point to a valid object!`, "error");
        continue;
      }
      packed.set(name, { name, oid, ...(end.oid === oid ? {} : { peeled: end.oid }) });
      moved.push({ name, oid });
    }
    const sorted = [...packed.values()].sort((a, b) => compareText(a.name, b.name));
    await lock.commit(formatPackedRefs(sorted));
  } finally {
    await lock.release();
  }
  if (!prune) return;
  const contents = await host.fs.readMany(moved.map(({ name }) => files.path(name)));
  for (const [i, { name, oid }] of moved.entries()) {
    const content = contents[i];
    if (!content) continue;
    const value = parseLooseRef(decode(content));
    // Changed since: the loose ref stays and takes precedence.
    if (value === "broken" || value.kind !== "oid" || value.oid !== oid) continue;
    await host.fs.rm(files.path(name), { force: true });
    await removeEmptyParents(host.fs, files.path(name), files.path(name.split("/").slice(0, 2).join("/")));
  }
}
