/**
 * Every command, one line each. Static imports: a single-file bundle wraps every module of a dynamic import (docs/decisions/0013).
 */

import { add } from "./commands/add.ts";
import { annotate, blame } from "./commands/blame/blame.ts";
import { branch } from "./commands/branch/branch.ts";
import { checkout } from "./commands/checkout/checkout.ts";
import { cherryPick } from "./commands/cherry-pick/cherry-pick.ts";
import { revert } from "./commands/cherry-pick/revert.ts";
import { clean } from "./commands/clean.ts";
import { clone } from "./commands/clone.ts";
import { commit } from "./commands/commit/commit.ts";
import { config } from "./commands/config/config.ts";
import { countObjects } from "./commands/count-objects.ts";
import { describe } from "./commands/describe.ts";
import { diff } from "./commands/diff/diff.ts";
import { fetch } from "./commands/fetch/fetch.ts";
import { fsck } from "./commands/fsck.ts";
import { gc } from "./commands/gc.ts";
import { grep } from "./commands/grep/grep.ts";
import { createHelp } from "./commands/help.ts";
import { init } from "./commands/init.ts";
import { log } from "./commands/log/log.ts";
import { show } from "./commands/log/show.ts";
import { merge } from "./commands/merge/merge.ts";
import { mv } from "./commands/mv.ts";
import { packRefs } from "./commands/pack-refs.ts";
import { prune } from "./commands/prune.ts";
import { pull } from "./commands/pull/pull.ts";
import { push } from "./commands/push.ts";
import { rebase } from "./commands/rebase/rebase.ts";
import { reflog } from "./commands/reflog/reflog.ts";
import { remote } from "./commands/remote/remote.ts";
import { repack } from "./commands/repack.ts";
import { reset } from "./commands/reset.ts";
import { restore } from "./commands/restore.ts";
import { rm } from "./commands/rm.ts";
import { shortlog } from "./commands/shortlog.ts";
import { stash } from "./commands/stash/stash.ts";
import { status } from "./commands/status/status.ts";
import { switchCommand } from "./commands/switch.ts";
import { tag } from "./commands/tag.ts";
import { version } from "./commands/version.ts";
import { whatchanged } from "./commands/whatchanged.ts";
import type { Command } from "./framework/command.ts";
import { apply } from "./plumbing/apply.ts";
import { catFile } from "./plumbing/cat-file/cat-file.ts";
import { checkAttr } from "./plumbing/check-attr.ts";
import { checkIgnore } from "./plumbing/check-ignore.ts";
import { checkMailmap } from "./plumbing/check-mailmap.ts";
import { checkRefFormat } from "./plumbing/check-ref-format.ts";
import { commitTree } from "./plumbing/commit-tree.ts";
import { diffFiles } from "./plumbing/diff-files.ts";
import { diffIndex } from "./plumbing/diff-index.ts";
import { diffTree } from "./plumbing/diff-tree.ts";
import { forEachRef } from "./plumbing/for-each-ref.ts";
import { hashObject } from "./plumbing/hash-object.ts";
import { indexPack } from "./plumbing/index-pack.ts";
import { lsFiles } from "./plumbing/ls-files/ls-files.ts";
import { lsRemote } from "./plumbing/ls-remote.ts";
import { lsTree } from "./plumbing/ls-tree.ts";
import { mergeBase } from "./plumbing/merge-base.ts";
import { mergeFile } from "./plumbing/merge-file.ts";
import { nameRev } from "./plumbing/name-rev.ts";
import { packObjects } from "./plumbing/pack-objects.ts";
import { prunePacked } from "./plumbing/prune-packed.ts";
import { readTree } from "./plumbing/read-tree.ts";
import { revList } from "./plumbing/rev-list/rev-list.ts";
import { revParse } from "./plumbing/rev-parse/rev-parse.ts";
import { showRef } from "./plumbing/show-ref.ts";
import { stripspace } from "./plumbing/stripspace.ts";
import { symbolicRef } from "./plumbing/symbolic-ref.ts";
import { unpackObjects } from "./plumbing/unpack-objects.ts";
import { updateIndex } from "./plumbing/update-index.ts";
import { updateRef } from "./plumbing/update-ref/update-ref.ts";
import { updateServerInfo } from "./plumbing/update-server-info.ts";
import { gitVar } from "./plumbing/var.ts";
import { verifyPack } from "./plumbing/verify-pack.ts";
import { writeTree } from "./plumbing/write-tree.ts";

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
