/**
 * Detects name conflicts between refs: a ref is a file, so "a" and "a/b" cannot both exist, and one transaction cannot create both.
 */
import { GitError } from "../errors.ts";
import { listRefs } from "./list-refs.ts";
import type { RefContext } from "./open-ref-store.ts";

/** Refs that the same transaction deletes still conflict: the order is undefined. */
export async function checkAvailable(
  context: RefContext,
  wanted: readonly { readonly name: string; readonly displayed: string }[],
): Promise<void> {
  const names = new Set(wanted.map(({ name }) => name));
  for (const { name, displayed } of wanted) {
    if (!name.includes("/") || (await context.read(name))) continue;
    const conflict = await conflictOf(context, name, new Set(), names);
    if (conflict) throw new GitError("EEXIST", `cannot lock ref '${displayed}': ${conflict}`);
  }
}

/** Returns the reason why `name` cannot be created, or null. `deleted`: refs that are deleted before. */
export async function conflictOf(
  context: RefContext,
  name: string,
  deleted: ReadonlySet<string>,
  together: ReadonlySet<string> = new Set(),
): Promise<string | null> {
  for (let slash = name.indexOf("/", 5); slash >= 0; slash = name.indexOf("/", slash + 1)) {
    const parent = name.slice(0, slash);
    if (!deleted.has(parent) && (await context.read(parent))) return `'${parent}' exists; cannot create '${name}'`;
    if (together.has(parent)) return `cannot process '${name}' and '${parent}' at the same time`;
  }
  const child = (await listRefs({ files: context.files, resolve: context.resolve }, `${name}/`)).find(
    (ref) => !deleted.has(ref.name),
  );
  if (child) return `'${child.name}' exists; cannot create '${name}'`;
  for (const other of together) {
    if (other.startsWith(`${name}/`)) return `cannot process '${name}' and '${other}' at the same time`;
  }
  return null;
}
