/** Levels of faults by `fsck.<msg-id>` and `fsck.skipList`: errors, warnings, or ignored. */

import { GitError } from "../../errors.ts";
import type { FsckMessage } from "../../object/fsck-object.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { absolutePath } from "../../text/absolute-path.ts";

export interface FsckLevels {
  /** Null: not reported. */
  of(oid: Oid, fault: FsckMessage): FsckMessage["level"] | null;
}

export async function fsckLevels({ config, fs, workTree, gitDir }: Repository): Promise<FsckLevels> {
  const skipped = new Set<Oid>();
  const list = config.get("fsck.skiplist");
  if (list !== undefined) {
    const [content] = await fs.readMany([absolutePath(list, workTree ?? gitDir)]);
    if (!content) throw new GitError("ENOTFOUND", `could not open object name list: ${list}`);
    for (const line of new TextDecoder().decode(content).split("\n")) {
      const oid = parseOid(line.replace(/#.*/, () => "").trim());
      if (oid !== null) skipped.add(oid);
    }
  }
  return {
    of(oid, { id, level }) {
      if (skipped.has(oid)) return null;
      const configured = config.get(`fsck.${id.toLowerCase()}`)?.toLowerCase();
      if (configured === undefined) return level;
      if (configured === "ignore") return null;
      if (configured === "error") return "error";
      if (configured === "warn") return "warning";
      throw new GitError("EINVAL", `Unknown fsck message type: '${configured}'`);
    },
  };
}
