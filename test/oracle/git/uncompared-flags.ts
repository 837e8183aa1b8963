/** Flags that no scenario plays, each with the reason. */

const asks = "needs a person at a terminal, and is refused";
const editor = "needs an editor, and is refused";
const signing = "signing and checking signatures is refused";
const refused = "not supported, and refused with a clear message";
const racy = "what it prints depends on time or threads";
const nothing = "taken and without effect, since there is nothing here that it could change";
const shorter = "our listing is our own: it names the commands there are";
const negation = "is played as the negation of --no-commit, which is the same";

const shared = {
  showSignature: signing,
};

export const uncomparedFlags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  add: { interactive: asks, patch: asks, edit: editor },
  apply: { intentToAdd: refused },
  branch: { editDescription: editor },
  checkout: { patch: asks },
  "cherry-pick": { commit: negation, gpgSign: signing },
  clean: { interactive: asks },
  commit: { interactive: asks, patch: asks },
  "commit-tree": { gpgSign: signing },
  config: { edit: editor },
  "diff-tree": { showSignature: signing },
  fetch: { shallowSince: "by the clock of the machine" },
  gc: { keepLargestPack: nothing },
  grep: { pager: asks },
  help: { all: shorter, verbose: shorter },
  "index-pack": {
    verbose: racy,
    output: "played with packs of its own in packages/git",
    stdin: "played with packs of its own in packages/git",
    fixThin: "played with packs of its own in packages/git",
    keep: "played with packs of its own in packages/git",
    strict: "played with packs of its own in packages/git",
    revIndex: nothing,
    verify: "played with packs of its own in packages/git",
    threads: nothing,
  },
  log: shared,
  show: shared,
  whatchanged: shared,
  "ls-files": { debug: "prints inode numbers and times" },
  merge: { verifySignatures: signing, gpgSign: signing },
  "name-rev": {
    all: "git's order is that of a hash table",
    stdin: "deprecated for --annotate-stdin",
    peelTag: "hidden",
  },
  "pack-objects": {
    quiet: nothing,
    progress: racy,
    stdout: "the bytes of a pack are not git's own; packages/git proves them with git itself",
    revs: "the bytes of a pack are not git's own; packages/git proves them with git itself",
    all: "the bytes of a pack are not git's own; packages/git proves them with git itself",
    reflog: "the bytes of a pack are not git's own; packages/git proves them with git itself",
    indexed: "the bytes of a pack are not git's own; packages/git proves them with git itself",
    deltaBaseOffset: nothing,
    thin: nothing,
    noReuseDelta: nothing,
    noReuseObject: nothing,
    window: nothing,
    depth: nothing,
    nonEmpty: nothing,
    threads: nothing,
  },
  pull: {
    verifySignatures: signing,
    gpgSign: signing,
    shallowSince: "by the clock of the machine",
    jobs: "git itself fails with --no-jobs, and submodules are left alone",
  },
  "read-tree": { debug: "prints what git's own code does" },
  rebase: {
    resetAuthorDate: "takes the clock of the machine",
    ignoreDate: "takes the clock of the machine",
    apply: refused,
    gpgSign: signing,
    exec: "played with a shell in exec.test.ts",
  },
  reset: { patch: asks },
  restore: { patch: asks },
  revert: { commit: negation, gpgSign: signing },
  "rev-list": {
    showSignature: signing,
  },
  "stash push": { patch: asks },
  "stash save": { patch: asks },
  shortlog: { showSignature: signing },
  tag: { verify: signing, sign: signing, localUser: signing },
  "unpack-objects": {
    dryRun: "played with packs of its own in packages/git",
    quiet: nothing,
    recover: nothing,
    strict: "played with packs of its own in packages/git",
  },
  "update-index": {
    unresolve: refused,
    testUntrackedCache: racy,
    forceUntrackedCache: nothing,
  },
  "verify-pack": { statOnly: "played with packs of its own in packages/git", objectFormat: nothing },
  version: { buildOptions: "tells how git was built" },
};
