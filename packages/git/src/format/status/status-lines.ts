/** The short formats of `git status`: `--short`, and `--porcelain` in both versions. */
import { MODE_GITLINK, octal } from "../../object/file-mode.ts";
import { NO_SIDE, type StatusEntry } from "../../porcelain/status/collect-status.ts";
import type { Repository } from "../../repository.ts";
import { type QuoteOptions, quotePath, quotesFully } from "../../text/quote-path.ts";
import { relativePath } from "../../text/relative-path.ts";
import { painter, statusColors } from "./status-colors.ts";
import type { StatusReport } from "./status-text.ts";

interface StatusLinesOptions {
  branch?: boolean;
  /** NUL after each, without quotes. */
  nul?: boolean;
  /** Paths relative to the repository's prefix. */
  relative?: boolean;
  stash?: boolean;
  /** As configured; porcelain formats have no color. */
  color?: boolean;
}

type Paint = ReturnType<typeof painter>;

export function shortStatus(repo: Repository, report: StatusReport, options: StatusLinesOptions): string {
  const end = options.nul ? "\0" : "\n";
  const path = pathPrinter(repo, options, true);
  const paint: Paint = options.color ? painter(statusColors(repo.config)) : (_, text) => text;
  let text = options.branch ? `${paint("header", "## ")}${branchText(report, paint)}${end}` : "";
  for (const { staged, unstaged, path: name, from, stages } of report.entries) {
    const code = (slot: "updated" | "changed", one: string) => (one === " " ? one : paint(slot, one));
    const codes = stages ? paint("unmerged", staged + unstaged) : code("updated", staged) + code("changed", unstaged);
    if (from === undefined) text += `${codes} ${path(name)}${end}`;
    else if (options.nul) text += `${codes} ${path(name)}${end}${path(from)}${end}`;
    else text += `${codes} ${path(from)} -> ${path(name)}${end}`;
  }
  const mark = (two: string) => (options.nul ? two : paint("untracked", two));
  for (const name of report.untracked) text += `${mark("??")} ${path(name)}${end}`;
  for (const name of report.ignored) text += `${mark("!!")} ${path(name)}${end}`;
  return text;
}

function branchText({ branch, head, tracking }: StatusReport, paint: Paint): string {
  const header = (text: string) => paint("header", text);
  const start = head === null ? header("No commits yet on ") : "";
  if (branch === null) return `${start}${paint("noBranch", "HEAD (no branch)")}`;
  const local = start + paint("localBranch", branch);
  if (tracking === null) return local;
  const { name, gone, counts } = tracking;
  const base = `${local}${header("...")}${paint("remoteBranch", name)}`;
  const note = (text: string) => `${base}${header(" [")}${text}${header("]")}`;
  if (gone) return note(header("gone"));
  if (counts === null) return note(header("different"));
  const { ahead, behind } = counts;
  if (ahead === 0 && behind === 0) return base;
  const aheadText = ahead > 0 ? header("ahead ") + paint("localBranch", String(ahead)) : "";
  const behindText =
    behind > 0 ? header(ahead > 0 ? ", behind " : "behind ") + paint("remoteBranch", String(behind)) : "";
  return note(aheadText + behindText);
}

function pathPrinter(
  repo: Repository,
  { nul, relative }: StatusLinesOptions,
  spaces: boolean,
): (path: string) => string {
  const quote: QuoteOptions = { full: quotesFully(repo.config), spaces };
  return (path) => {
    const displayed = relative ? relativePath(path, repo.prefix) : path;
    return nul ? displayed : quotePath(displayed, quote);
  };
}

export function porcelainV2(repo: Repository, report: StatusReport, options: StatusLinesOptions): string {
  const end = options.nul ? "\0" : "\n";
  const path = pathPrinter(repo, options, false);
  let text = options.branch ? branchHeaders(report, end) : "";
  if (options.stash && report.stashes > 0) text += `# stash ${report.stashes}${end}`;
  for (const entry of report.entries)
    if (!entry.stages) text += changedLine(entry, path, end, options.nul ? "\0" : "\t");
  for (const entry of report.entries) if (entry.stages) text += unmergedLine(entry, path, end);
  for (const name of report.untracked) text += `? ${path(name)}${end}`;
  for (const name of report.ignored) text += `! ${path(name)}${end}`;
  return text;
}

function branchHeaders({ head, branch, tracking }: StatusReport, end: string): string {
  let text = `# branch.oid ${head ?? "(initial)"}${end}# branch.head ${branch ?? "(detached)"}${end}`;
  if (tracking === null) return text;
  text += `# branch.upstream ${tracking.name}${end}`;
  if (tracking.gone) return text;
  const { counts } = tracking;
  return `${text}# branch.ab ${counts ? `+${counts.ahead} -${counts.behind}` : "+? -?"}${end}`;
}

function changedLine(entry: StatusEntry, path: (path: string) => string, end: string, tab: string): string {
  const { head, index, workMode, from, score } = entry;
  const [before, staged] = [head ?? NO_SIDE, index ?? NO_SIDE];
  const modes = [before.mode, staged.mode, workMode].map(octal).join(" ");
  const fields = `${codes(entry)} ${submodule(entry)} ${modes} ${before.oid} ${staged.oid}`;
  if (from === undefined) return `1 ${fields} ${path(entry.path)}${end}`;
  return `2 ${fields} ${entry.renamedInWork ? entry.unstaged : entry.staged}${score ?? 100} ${path(entry.path)}${tab}${path(from)}${end}`;
}

function unmergedLine(entry: StatusEntry, path: (path: string) => string, end: string): string {
  const stages = (entry.stages ?? []).map((side) => side ?? NO_SIDE);
  const modes = [...stages.map(({ mode }) => mode), entry.workMode].map(octal).join(" ");
  const oids = stages.map(({ oid }) => oid).join(" ");
  return `u ${codes(entry)} ${submodule(entry)} ${modes} ${oids} ${path(entry.path)}${end}`;
}

function codes({ staged, unstaged }: StatusEntry): string {
  return (staged + unstaged).replaceAll(" ", ".");
}

function submodule({ head, index, workMode, newCommits }: StatusEntry): string {
  const isGitlink = [head?.mode, index?.mode, workMode].includes(MODE_GITLINK);
  return isGitlink ? `S${newCommits ? "C" : "."}..` : "N...";
}
