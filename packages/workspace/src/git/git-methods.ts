/**
 * The names of the engine's methods, checked for completeness by the compiler: for a facade here, and for a client in another
 * Worker.
 */
import type { Git } from "@workspace/git";

const methods = {
  cli: true,
  init: true,
  clone: true,
  status: true,
  add: true,
  remove: true,
  move: true,
  commit: true,
  restore: true,
  reset: true,
  clean: true,
  log: true,
  diff: true,
  read: true,
  resolve: true,
  refs: true,
  branch: true,
  deleteBranch: true,
  switch: true,
  tag: true,
  deleteTag: true,
  merge: true,
  cherryPick: true,
  revert: true,
  rebase: true,
  stash: true,
  fetch: true,
  pull: true,
  push: true,
  lsRemote: true,
  remotes: true,
  addRemote: true,
  grep: true,
  blame: true,
  getConfig: true,
  setConfig: true,
} satisfies Record<keyof Git, true>;

export const GIT_METHODS = Object.keys(methods) as (keyof Git)[];
