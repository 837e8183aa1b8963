/** The files that lines may come from: found once for each commit and path, with a cache of their texts. */
import { splitLines, type TextLines } from "@workspace/text";
import { diffDefaults } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import { walkTrees } from "../../diff/walk-trees.ts";
import { isGitlinkMode, isSameType } from "../../object/file-mode.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { peelTo } from "../../revision/peel.ts";
import { entryAtPath } from "../../revision/tree-path.ts";
import type { Origin } from "./blame-entry.ts";

/** Size of the text cache; the final text is stored separately. */
const MAX_TEXTS = 32;

export class Origins {
  readonly #all = new Map<string, Origin[]>();
  readonly #texts = new Map<Origin, TextLines>();
  readonly #times = new Map<Oid, number>();
  readonly reader;

  constructor(readonly repo: Repository) {
    this.reader = commitReader(repo);
  }

  of(commit: Oid | null, path: string, mode: number, blob: Oid | null): Origin {
    const key = commit ?? "";
    const list = this.#all.get(key) ?? [];
    const known = list.find((origin) => origin.path === path);
    if (known) return known;
    const origin: Origin = { commit, path, mode, blob, previous: null, suspects: [] };
    this.#all.set(key, [...list, origin]);
    return origin;
  }

  /** An origin of the commit that still has unexamined lines. */
  suspected(commit: Oid | null): Origin | undefined {
    return this.#all.get(commit ?? "")?.find(({ suspects }) => suspects.length > 0);
  }

  /** Time of a commit that was searched for a file. */
  secondsOf(commit: Oid): number {
    return this.#times.get(commit) ?? 0;
  }

  async sameName(parent: Oid, origin: Origin): Promise<Origin | null> {
    const tree = await this.#treeOf(parent);
    const entry = await entryAtPath(this.repo, tree, origin.path);
    if (!entry || !isSameType(entry.mode, origin.mode)) return null;
    return this.of(parent, origin.path, entry.mode, entry.oid);
  }

  async renamed(parent: Oid, origin: Origin): Promise<Origin | null> {
    if (origin.commit === null) return null;
    const options = diffDefaults(this.repo.config, { porcelain: false });
    options.renames = "renames";
    const [before, after] = [await this.#treeOf(parent), await this.#treeOf(origin.commit)];
    options.onlyTarget = origin.path;
    const { pairs } = await diffTrees(this.repo, before, after, options);
    const pair = pairs.find(
      ({ status, new: fresh }) => (status === "R" || status === "C") && fresh.path === origin.path,
    );
    if (!pair?.old.oid) return null;
    return this.of(parent, pair.old.path, pair.old.mode, pair.old.oid);
  }

  /** Other files of the parent that lines may have been copied from: all (`everything`), or the changed ones. */
  async copySources(origin: Origin, parent: Oid, known: Origin | null, everything: boolean) {
    const before = await peelTo(this.repo, parent, "tree");
    const after = origin.commit === null ? before : await peelTo(this.repo, origin.commit, "tree");
    const pairs = await walkTrees(this.repo, before, after, { unmodified: everything });
    const sources: { text: TextLines; origin: Origin }[] = [];
    for (const { old } of pairs) {
      if (old.oid === null || isGitlinkMode(old.mode) || old.path === known?.path) continue;
      const found = this.of(parent, old.path, old.mode, old.oid);
      sources.push({ text: await this.text(found), origin: found });
    }
    return sources;
  }

  async text(origin: Origin): Promise<TextLines> {
    const known = this.#texts.get(origin);
    if (known) return known;
    const body = origin.blob === null ? new Uint8Array(0) : (await this.repo.odb.need(origin.blob, "blob")).body;
    const text = splitLines(body);
    this.keep(origin, text);
    if (this.#texts.size > MAX_TEXTS) {
      const [oldest] = this.#texts.keys();
      if (oldest && oldest !== origin) this.#texts.delete(oldest);
    }
    return text;
  }

  keep(origin: Origin, text: TextLines): void {
    this.#texts.set(origin, text);
  }

  forget(origin: Origin): void {
    this.#texts.delete(origin);
  }

  async #treeOf(commit: Oid): Promise<Oid> {
    const node = await this.reader.read(commit);
    this.#times.set(commit, node.seconds);
    return node.tree;
  }
}
