/** `git branch` as a list: "* " before the current branch, hash and subject with -v, the upstream with -vv. */
import { configuredColor, parseColor, RESET, wantColor } from "../../../config/color.ts";
import { GitError } from "../../../errors.ts";
import { columnLayout, inColumns } from "../../../format/columns.ts";
import type { Oid } from "../../../object/oid.ts";
import { filterRefs } from "../../../porcelain/ref-filter/filter-refs.ts";
import { openRefList } from "../../../porcelain/ref-filter/open-ref-list.ts";
import type { RefItem } from "../../../porcelain/ref-filter/ref-object.ts";
import { readDetachedFrom, readOperationState } from "../../../porcelain/status/operation-state.ts";
import type { Repository } from "../../../repository.ts";
import { textWidth } from "../../../text/text-width.ts";
import { readRefFilter } from "../../flags/ref-filter-flags.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { terminalColumns } from "../diff/show-diff.ts";
import type { branchFlags } from "./branch.ts";

type BranchListFlags = ParsedFlags<typeof branchFlags>["flags"];

const DETACHED = "HEAD";
/** Where a branch is checked out: here, or in another work tree. */
const MARKS = { current: "* ", worktree: "+ ", none: "  " } as const;

export async function listBranches(
  context: CommandContext,
  repo: Repository,
  flags: BranchListFlags,
  patterns: readonly string[],
): Promise<number> {
  const layout = columnLayout(repo.config, "branch", flags.column);
  if (flags.column && layout !== null && (flags.verbose ?? 0) > 0)
    throw new GitError("EINVAL", "options '--column' and '--verbose' cannot be used together");
  const list = await openRefList(repo);
  const prefixes = flags.all ? ["refs/heads/", "refs/remotes/"] : [flags.remotes ? "refs/remotes/" : "refs/heads/"];
  const filter = { ...(await readRefFilter(repo, flags)), patterns, matching: "short" as const };
  const verbose = flags.verbose ?? 0;
  const color = wantColor(repo.config, "color.branch", flags.color);
  const paint = color ? branchColors(repo.config) : null;
  const print = list.printer(flags.format || usualFormat(flags, verbose, paint), undefined, { color });
  const refs = (await filterRefs(repo, { ...filter, prefixes })).map(
    (ref): RefItem => (ref.target === undefined ? ref : { ...ref, target: ref.target }),
  );
  const keys = flags.sort ?? repo.config.getAll("branch.sort");
  const sorted = await list.sort(refs, keys, { ignoreCase: flags.ignoreCase });
  const detached = flags.remotes ? null : await detachedHead(repo, list.head, filter);
  const displayed = detached ? [detached, ...sorted] : sorted;
  if (flags.format) {
    for (const ref of displayed) context.out(`${await print(ref)}\n`);
    return 0;
  }
  const name = (ref: RefItem) => ref.displayed ?? shortName(ref.name, flags.all ?? false);
  const width = verbose > 0 ? Math.max(0, ...displayed.map((ref) => textWidth(name(ref)))) : 0;
  const lines: string[] = [];
  const elsewhere = await list.workTreePaths();
  for (const ref of displayed) {
    const current = ref.name === DETACHED || ref.name === list.head;
    const label = name(ref) + " ".repeat(Math.max(0, width - textWidth(name(ref))));
    const position = current ? "current" : elsewhere.has(ref.name) ? "worktree" : null;
    lines.push(`${MARKS[position ?? "none"]}${paint?.name(ref.name, position, label) ?? label}${await print(ref)}`);
  }
  if (layout !== null && verbose === 0) context.out(inColumns(lines, layout, { width: terminalColumns(context) }));
  else context.out(lines.map((line) => `${line}\n`).join(""));
  return 0;
}

interface BranchColors {
  name(ref: string, position: "current" | "worktree" | null, text: string): string;
  upstream(text: string): string;
}

/** `color.branch.<slot>`, or git's default colors. */
function branchColors(config: Repository["config"]): BranchColors {
  const color = (slot: string, usual: string) => configuredColor(config, `color.branch.${slot}`, usual);
  const slots = {
    current: color("current", parseColor("green") as string),
    local: color("local", ""),
    remote: color("remote", parseColor("red") as string),
    upstream: color("upstream", parseColor("blue") as string),
    worktree: color("worktree", parseColor("cyan") as string),
  };
  return {
    name(ref, position, text) {
      const kind = position ?? (ref.startsWith("refs/remotes/") ? "remote" : "local");
      return `${slots[kind]}${text}${RESET}`;
    },
    upstream: (text) => `${slots.upstream}${text}${RESET}`,
  };
}

function shortName(name: string, all: boolean): string {
  if (name.startsWith("refs/heads/")) return name.slice("refs/heads/".length);
  return name.slice(all ? "refs/".length : "refs/remotes/".length);
}

/** The format of everything after the name. */
function usualFormat({ abbrev }: BranchListFlags, verbose: number, paint: BranchColors | null): string {
  const arrow = "%(if)%(symref)%(then) -> %(symref:short)%(end)";
  if (verbose === 0) return arrow;
  const digits =
    abbrev === false
      ? ""
      : typeof abbrev === "string" && Number(abbrev) > 0
        ? `:short=${abbrev}`
        : abbrev === "0"
          ? ""
          : ":short";
  const oid = `%(objectname${digits})`;
  const track =
    verbose > 1
      ? `%(if)%(upstream)%(then)[${paint?.upstream("%(upstream:short)") ?? "%(upstream:short)"}%(if)%(upstream:track)%(then): %(upstream:track,nobracket)%(end)] %(end)`
      : "%(if)%(upstream:track)%(then)%(upstream:track) %(end)";
  const position = "%(if:notequals=*)%(HEAD)%(then)%(if)%(worktreepath)%(then)(%(worktreepath)) %(end)%(end)";
  const details = ` ${oid} ${verbose > 1 ? position : ""}${track}%(contents:subject)`;
  return `%(if)%(symref)%(then) -> %(symref:short)%(else)${details}%(end)`;
}

type BranchFilter = Awaited<ReturnType<typeof readRefFilter>> & { patterns: readonly string[] };

async function detachedHead(repo: Repository, head: string | null, filter: BranchFilter): Promise<RefItem | null> {
  if (head !== null) return null;
  const oid = (await repo.refs.resolve("HEAD"))?.oid;
  if (!oid || filter.patterns.length > 0) return null;
  const limited = [filter.contains, filter.noContains, filter.merged, filter.noMerged, filter.pointsAt];
  if (limited.some((list) => list?.length) && !(await passes(repo, oid, filter))) return null;
  return { name: DETACHED, oid, displayed: await detachedText(repo, oid) };
}

/** Whether the detached HEAD passes the filter: filters a list of refs that contains only HEAD, under a placeholder name. */
async function passes(repo: Repository, oid: Oid, { patterns: _, ...filter }: BranchFilter): Promise<boolean> {
  const only = { ...repo, refs: { ...repo.refs, list: async () => [{ name: DETACHED, oid }] } };
  return (await filterRefs(only, filter)).length > 0;
}

async function detachedText(repo: Repository, oid: Oid): Promise<string> {
  const state = await readOperationState(repo);
  const from = await readDetachedFrom(repo, oid);
  if (state.rebase) {
    if (state.rebase.branch !== null) return `(no branch, rebasing ${state.rebase.branch})`;
    return `(no branch, rebasing detached HEAD ${from?.name ?? (await repo.odb.abbreviate(oid))})`;
  }
  if (state.bisect !== null) return `(no branch, bisect started on ${state.bisect})`;
  if (!from) return "(no branch)";
  return `(HEAD detached ${from.at ? "at" : "from"} ${from.name})`;
}
