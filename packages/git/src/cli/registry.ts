/**
 * Every command, one line each. Static imports: a single-file bundle wraps every module of a dynamic import (docs/decisions/0013).
 */
import type { Command } from "./command.ts";
import { add } from "./commands/add.ts";
import { apply } from "./commands/apply.ts";
import { annotate, blame } from "./commands/blame.ts";
import { branch } from "./commands/branch.ts";
import { catFile } from "./commands/cat-file.ts";
import { checkAttr } from "./commands/check-attr.ts";
import { checkIgnore } from "./commands/check-ignore.ts";
import { checkMailmap } from "./commands/check-mailmap.ts";
import { checkRefFormat } from "./commands/check-ref-format.ts";
import { checkout } from "./commands/checkout.ts";
import { cherryPick } from "./commands/cherry-pick.ts";
import { clean } from "./commands/clean.ts";
import { clone } from "./commands/clone.ts";
import { commit } from "./commands/commit.ts";
import { commitTree } from "./commands/commit-tree.ts";
import { config } from "./commands/config.ts";
import { countObjects } from "./commands/count-objects.ts";
import { describe } from "./commands/describe.ts";
import { diff } from "./commands/diff.ts";
import { diffFiles } from "./commands/diff-files.ts";
import { diffIndex } from "./commands/diff-index.ts";
import { diffTree } from "./commands/diff-tree.ts";
import { fetch } from "./commands/fetch.ts";
import { forEachRef } from "./commands/for-each-ref.ts";
import { fsck } from "./commands/fsck.ts";
import { gc } from "./commands/gc.ts";
import { grep } from "./commands/grep.ts";
import { hashObject } from "./commands/hash-object.ts";
import { createHelp } from "./commands/help.ts";
import { indexPack } from "./commands/index-pack.ts";
import { init } from "./commands/init.ts";
import { log } from "./commands/log.ts";
import { lsFiles } from "./commands/ls-files.ts";
import { lsRemote } from "./commands/ls-remote.ts";
import { lsTree } from "./commands/ls-tree.ts";
import { merge } from "./commands/merge.ts";
import { mergeBase } from "./commands/merge-base.ts";
import { mergeFile } from "./commands/merge-file.ts";
import { mv } from "./commands/mv.ts";
import { nameRev } from "./commands/name-rev.ts";
import { packObjects } from "./commands/pack-objects.ts";
import { packRefs } from "./commands/pack-refs.ts";
import { prune } from "./commands/prune.ts";
import { prunePacked } from "./commands/prune-packed.ts";
import { pull } from "./commands/pull.ts";
import { push } from "./commands/push.ts";
import { readTree } from "./commands/read-tree.ts";
import { rebase } from "./commands/rebase.ts";
import { reflog } from "./commands/reflog.ts";
import { remote } from "./commands/remote.ts";
import { repack } from "./commands/repack.ts";
import { reset } from "./commands/reset.ts";
import { restore } from "./commands/restore.ts";
import { revList } from "./commands/rev-list.ts";
import { revParse } from "./commands/rev-parse.ts";
import { revert } from "./commands/revert.ts";
import { rm } from "./commands/rm.ts";
import { shortlog } from "./commands/shortlog.ts";
import { show } from "./commands/show.ts";
import { showRef } from "./commands/show-ref.ts";
import { stash } from "./commands/stash.ts";
import { status } from "./commands/status.ts";
import { stripspace } from "./commands/stripspace.ts";
import { switchCommand } from "./commands/switch.ts";
import { symbolicRef } from "./commands/symbolic-ref.ts";
import { tag } from "./commands/tag.ts";
import { unpackObjects } from "./commands/unpack-objects.ts";
import { updateIndex } from "./commands/update-index.ts";
import { updateRef } from "./commands/update-ref.ts";
import { updateServerInfo } from "./commands/update-server-info.ts";
import { gitVar } from "./commands/var.ts";
import { verifyPack } from "./commands/verify-pack.ts";
import { version } from "./commands/version.ts";
import { whatchanged } from "./commands/whatchanged.ts";
import { writeTree } from "./commands/write-tree.ts";

// biome-ignore lint/suspicious/noExplicitAny: each command knows its own table; here only names matter.
export const registry: Readonly<Record<string, Command<any>>> = {
  add,
  "check-attr": checkAttr,
  "check-ignore": checkIgnore,
  "check-mailmap": checkMailmap,
  "commit-tree": commitTree,
  "ls-files": lsFiles,
  "ls-tree": lsTree,
  mv,
  "read-tree": readTree,
  rm,
  stripspace,
  log,
  show,
  "update-index": updateIndex,
  whatchanged,
  shortlog,
  grep,
  apply,
  merge,
  "cherry-pick": cherryPick,
  rebase,
  revert,
  "merge-file": mergeFile,
  annotate,
  blame,
  diff,
  "diff-files": diffFiles,
  "diff-index": diffIndex,
  "diff-tree": diffTree,
  help: createHelp(() => registry),
  stash,
  status,
  version,
  clean,
  clone,
  switch: switchCommand,
  checkout,
  reset,
  restore,
  fetch,
  pull,
  push,
  "ls-remote": lsRemote,
  init,
  commit,
  config,
  "rev-parse": revParse,
  "symbolic-ref": symbolicRef,
  "update-ref": updateRef,
  "show-ref": showRef,
  "merge-base": mergeBase,
  "check-ref-format": checkRefFormat,
  var: gitVar,
  "rev-list": revList,
  "pack-refs": packRefs,
  "for-each-ref": forEachRef,
  "write-tree": writeTree,
  "cat-file": catFile,
  "count-objects": countObjects,
  "hash-object": hashObject,
  gc,
  repack,
  prune,
  "prune-packed": prunePacked,
  "update-server-info": updateServerInfo,
  "verify-pack": verifyPack,
  "unpack-objects": unpackObjects,
  "index-pack": indexPack,
  "pack-objects": packObjects,
  fsck,
  branch,
  tag,
  describe,
  "name-rev": nameRev,
  reflog,
  remote,
};
