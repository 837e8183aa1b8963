/** The refs that point at a commit, in the order and wording of `git log --decorate`. */
import { configuredColor, RESET } from "../config/color.ts";
import type { GitConfig } from "../config/git-config.ts";
import type { Oid } from "../object/oid.ts";
import { parseTag } from "../object/tag.ts";
import type { Repository } from "../repository.ts";
import { wildmatch } from "../text/wildmatch.ts";

type DecorationKind = "branch" | "remoteBranch" | "tag" | "stash" | "HEAD" | "grafted" | "none";

export interface Decoration {
  /** Whole: "refs/heads/main". */
  readonly name: string;
  readonly kind: DecorationKind;
}

export interface Decorations {
  of(oid: Oid): readonly Decoration[];
  /** The branch that HEAD is on. */
  readonly current: string | null;
}

export interface DecorationFilter {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Those of the configuration yield to `include`. */
  readonly excludeByConfig?: readonly string[];
}

/** The refs shown by default. */
export const USUAL_REFS = ["HEAD", "refs/heads/", "refs/remotes/", "refs/stash", "refs/tags/"];

export async function loadDecorations(repo: Repository, filter: DecorationFilter = {}): Promise<Decorations> {
  const found = new Map<Oid, Decoration[]>();
  const add = (oid: Oid, decoration: Decoration) => {
    const list = found.get(oid);
    if (list === undefined) found.set(oid, [decoration]);
    else list.unshift(decoration);
  };
  for (const ref of await repo.refs.list()) {
    if (!ref.name.startsWith("refs/") || !isWanted(ref.name, filter)) continue;
    const kind = decorationKind(ref.name);
    add(ref.oid, { name: ref.name, kind });
    for (const oid of await peeledFrom(repo, ref.oid, kind, ref.peeled)) add(oid, { name: ref.name, kind: "tag" });
  }
  const head = await repo.refs.resolve("HEAD");
  if (head?.oid && isWanted("HEAD", filter)) add(head.oid, { name: "HEAD", kind: "HEAD" });
  for (const oid of await shallowCommits(repo)) add(oid, { name: "grafted", kind: "grafted" });
  const current = head?.name.startsWith("refs/heads/") ? head.name : null;
  return { of: (oid) => found.get(oid) ?? [], current };
}

function decorationKind(name: string): DecorationKind {
  if (name.startsWith("refs/heads/")) return "branch";
  if (name.startsWith("refs/remotes/")) return "remoteBranch";
  if (name.startsWith("refs/tags/")) return "tag";
  return name === "refs/stash" ? "stash" : "none";
}

function isWanted(name: string, { include = [], exclude = [], excludeByConfig = [] }: DecorationFilter): boolean {
  if (exclude.some((pattern) => matchesRef(pattern, name))) return false;
  if (include.length > 0) return include.some((pattern) => matchesRef(pattern, name));
  return !excludeByConfig.some((pattern) => matchesRef(pattern, name));
}

/** A pattern without a glob is a full name or a prefix of one; "refs/" may be omitted. */
function matchesRef(pattern: string, name: string): boolean {
  for (const whole of [
    pattern,
    `refs/${pattern}`,
    `refs/heads/${pattern}`,
    `refs/tags/${pattern}`,
    `refs/remotes/${pattern}`,
  ]) {
    if (/[*?[]/.test(whole)) {
      if (wildmatch(whole, name)) return true;
      continue;
    }
    if (name === whole || name.startsWith(whole.endsWith("/") ? whole : `${whole}/`)) return true;
  }
  return false;
}

/** The filter that configuration sets. */
export function configuredFilter(config: GitConfig): DecorationFilter {
  const excludeByConfig = config.getAll("log.excludedecoration");
  const all = config.get("log.initialdecorationset") === "all" || excludeByConfig.length > 0;
  return all ? { excludeByConfig } : { include: USUAL_REFS };
}

/** "HEAD -> main", "tag: v1", "origin/main" */
export function decorationLabels(decorations: Decorations, oid: Oid): string[] {
  const list = decorations.of(oid);
  const current = list.some(({ kind }) => kind === "HEAD") && list.find(({ name }) => name === decorations.current);
  return list
    .filter((one) => one !== current)
    .map(({ name, kind }) => {
      const arrow = current && kind === "HEAD" ? ` -> ${shortName(current.name)}` : "";
      return `${kind === "tag" ? "tag: " : ""}${shortName(name)}${arrow}`;
    });
}

function shortName(name: string): string {
  return name.replace(/^refs\/(heads|remotes|tags)\//, () => "");
}

async function peeledFrom(repo: Repository, oid: Oid, kind: DecorationKind, known: Oid | undefined): Promise<Oid[]> {
  if (known !== undefined) return [known];
  if (kind === "branch" || kind === "remoteBranch") return [];
  const chain: Oid[] = [];
  for (let at = oid; chain.length < repo.limits.tagDepth; at = chain.at(-1) as Oid) {
    const header = await repo.odb.header(at);
    if (header?.type !== "tag") break;
    chain.push(parseTag((await repo.odb.need(at, "tag")).body).object);
  }
  return chain;
}

async function shallowCommits({ fs, gitDir, commonDir }: Repository): Promise<Oid[]> {
  const [bytes] = await fs.readMany([`${commonDir ?? gitDir}/shallow`]);
  if (!bytes) return [];
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line !== "") as Oid[];
}

interface DecorationStyle {
  /** `refs/heads/main` rather than `main`. */
  readonly full?: boolean;
  readonly color?: boolean;
  readonly prefix?: string;
  readonly separator?: string;
  readonly suffix?: string;
}

const COLORS: Readonly<Record<Exclude<DecorationKind, "none">, string>> = {
  branch: "\x1b[1;32m",
  remoteBranch: "\x1b[1;31m",
  tag: "\x1b[1;33m",
  stash: "\x1b[1;35m",
  HEAD: "\x1b[1;36m",
  grafted: "\x1b[1;34m",
};

/** "" for a commit without any. */
export function formatDecorations(
  decorations: Decorations,
  config: GitConfig,
  oid: Oid,
  { full = false, color = false, prefix = " (", separator = ", ", suffix = ")" }: DecorationStyle = {},
): string {
  const list = decorations.of(oid);
  if (list.length === 0) return "";
  const colorOf = (kind: DecorationKind) =>
    !color ? "" : kind === "none" ? RESET : configuredColor(config, `color.decorate.${kind}`, COLORS[kind]);
  const commit = color ? configuredColor(config, "color.diff.commit", "\x1b[33m") : "";
  const reset = color ? RESET : "";
  const displayed = (name: string) => (full ? name : shortName(name));
  const hasHead = list.some(({ kind }) => kind === "HEAD");
  const current = hasHead ? list.find(({ name }) => name === decorations.current) : undefined;
  const parts = list
    .filter((one) => one !== current)
    .map((one) => {
      const arrow = current && one.kind === "HEAD" ? ` -> ${reset}${colorOf("branch")}${displayed(current.name)}` : "";
      return `${reset}${colorOf(one.kind)}${one.kind === "tag" ? "tag: " : ""}${displayed(one.name)}${arrow}${reset}`;
    });
  const between = parts.map((part, at) => `${commit}${at === 0 ? prefix : separator}${part}`);
  return `${between.join("")}${commit}${suffix}${reset}`;
}
