/** `git write-tree` */
import { GitError } from "../../errors.ts";
import { readIndex } from "../../index/read-index.ts";
import { readTreeEntries } from "../../index/read-tree.ts";
import { lockIndex, writeIndex } from "../../index/write-index.ts";
import { writeTree as writeTrees } from "../../index/write-tree.ts";
import { isTreeMode } from "../../object/file-mode.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { defineCommand } from "../framework/command.ts";

export const writeTree = defineCommand({
  name: "write-tree",
  usage: ["git write-tree [--missing-ok] [--prefix=<prefix>/]"],
  flags: {
    missingOk: { long: "--missing-ok", help: "allow missing objects" },
    prefix: {
      long: "--prefix",
      value: "string",
      arg: "<prefix>/",
      help: "write tree object for a subdirectory <prefix>",
    },
  },
  async run(context, { flags }) {
    const repo = await context.repository();
    const index = await readIndex(repo);
    const { oid, tree } = await writeTrees(repo.odb, index, { missingOk: flags.missingOk });
    const known = index.tree?.oid === oid && index.tree.entries === index.entries.length;
    // Caches the tree ids in the index; skips that if the index is locked.
    const lock = known ? null : await lockIndex(repo).catch(() => null);
    if (lock) await writeIndex(repo, { ...index, tree }, lock);
    context.out(`${flags.prefix ? await subtree(repo, oid, flags.prefix) : oid}\n`);
    return 0;
  },
});

async function subtree({ odb }: Repository, root: Oid, prefix: string): Promise<Oid> {
  let at = root;
  for (const name of prefix.split("/").filter((part) => part !== "")) {
    const entry = (await readTreeEntries(odb, at)).find((one) => one.name === name && isTreeMode(one.mode));
    if (entry === undefined) throw new GitError("ENOTFOUND", `git-write-tree: prefix ${prefix} not found`);
    at = entry.oid;
  }
  return at;
}
