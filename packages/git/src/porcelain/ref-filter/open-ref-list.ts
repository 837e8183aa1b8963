/** Shared state of a ref listing: HEAD, a cache of objects, templates and sort orders. */
import { RESET } from "../../config/color.ts";
import { workTreePaths } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import type { AtomContext } from "./atoms.ts";
import { type RefItem, RefObjects } from "./ref-object.ts";
import { sortRefs } from "./sort-refs.ts";
import { fillTemplate, parseTemplate, type Quoting } from "./template.ts";

export interface RefList {
  /** Validates the format immediately, fills it later. */
  printer(format: string, quoting?: Quoting, options?: { color?: boolean }): (ref: RefItem) => Promise<string>;
  sort<Item extends RefItem>(
    refs: readonly Item[],
    keys: readonly string[],
    options?: { ignoreCase?: boolean },
  ): Promise<Item[]>;
  /** The ref that HEAD points to; null: detached. */
  readonly head: string | null;
  /** As in `AtomContext`. */
  readonly workTreePaths: AtomContext["workTreePaths"];
}

export async function openRefList(repo: Repository): Promise<RefList> {
  const head = await repo.refs.read("HEAD");
  let paths: Promise<ReadonlyMap<string, string>> | undefined;
  const context: AtomContext = {
    repo,
    workTreePaths: () => (paths ??= workTreePaths(repo)),
    objects: new RefObjects(repo),
    head: head?.kind === "symbolic" ? head.target : null,
  };
  return {
    head: context.head,
    workTreePaths: context.workTreePaths,
    printer(format, quoting, { color = false } = {}) {
      const template = parseTemplate(format);
      const colors = [...format.matchAll(/%\(color:([^)]*)\)/g)].map((match) => match[1]);
      const end = color && colors.length > 0 && colors.at(-1) !== "reset" ? RESET : "";
      return async (ref) => `${await fillTemplate({ ...context, color }, template, ref, quoting)}${end}`;
    },
    sort: (refs, keys, options) => sortRefs(context, refs, keys, options),
  };
}
