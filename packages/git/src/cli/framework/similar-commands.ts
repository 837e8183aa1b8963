/**
 * Suggests command names ("The most similar command is"), by git's similarity measure over all command names of git, whether or not
 * they are implemented here.
 */

const NAMES = `
add add--interactive am annotate apply archive bisect bisect--helper blame branch bugreport bundle cat-file check-attr
check-ignore check-mailmap check-ref-format checkout checkout--worker checkout-index cherry cherry-pick clean clone
column commit commit-graph commit-tree config count-objects credential credential-cache credential-cache--daemon
credential-store daemon describe diagnose diff diff-files diff-index diff-tree difftool difftool--helper env--helper
fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck
fsck-objects fsmonitor--daemon gc get-tar-commit-id grep hash-object help hook http-backend http-fetch http-push
imap-send index-pack init init-db instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit
maintenance merge merge-base merge-file merge-index merge-octopus merge-one-file merge-ours merge-recursive
merge-recursive-ours merge-recursive-theirs merge-resolve merge-subtree merge-tree mergetool mktag mktree
multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id pickaxe prune prune-packed pull push
quiltimport range-diff read-tree rebase receive-pack reflog remote remote-ext remote-fd remote-ftp remote-ftps
remote-http remote-https repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-pack
sh-i18n--envsubst shell shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace
submodule submodule--helper subtree switch symbolic-ref tag unpack-file unpack-objects update-index update-ref
update-server-info upload-archive upload-archive--writer upload-pack var verify-commit verify-pack verify-tag version
web--browse whatchanged worktree write-tree
`
  .trim()
  .split(/\s+/);

/** The commands that a bare `git` lists: an abbreviation of one always counts as similar. */
const COMMON = new Set(
  "add bisect branch clone commit diff fetch grep init log merge mv pull push rebase reset restore rm show status switch tag".split(
    " ",
  ),
);
const FLOOR = 7;

export function isGitCommand(name: string): boolean {
  return NAMES.includes(name);
}

/** `aliases` are candidates too. */
export function similarCommands(name: string, aliases: readonly string[] = []): string[] {
  const candidates = [...new Set([...NAMES, ...aliases])].map((candidate) => ({
    candidate,
    distance: COMMON.has(candidate) && candidate.startsWith(name) ? 0 : distance(name, candidate) + 1,
  }));
  candidates.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  const best = candidates.find((one) => one.distance > 0)?.distance ?? FLOOR;
  if (best >= FLOOR) return [];
  return candidates.filter((one) => one.distance <= best).map((one) => one.candidate);
}

/** Edit distance: a swap of two letters costs 0, a replacement 2, an insertion 1, a deletion 3. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 0; i < from.length; i++) {
    const next = [(i + 1) * 3];
    for (let j = 0; j < to.length; j++) {
      let cost = (row[j] as number) + (from[i] === to[j] ? 0 : 2);
      const swapped = i > 0 && j > 0 && from[i - 1] === to[j] && from[i] === to[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 1] as number);
      cost = Math.min(cost, (row[j + 1] as number) + 3, (next[j] as number) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[to.length] as number;
}
