/** Every ref under a prefix, loose before packed, in byte order; a directory is one scan, its files one bulk read. */

import { type Oid, ZERO_OID } from "../object/oid.ts";
import { compareText, decode } from "../text/bytes.ts";
import { parseLooseRef, type RefFiles } from "./ref-files.ts";
import { isRefName } from "./ref-name.ts";
import type { ListRefsOptions, Ref, RefValue } from "./ref-store.ts";

interface ListContext {
  readonly files: RefFiles;
  resolve(name: string): Promise<{ name: string; oid: Oid | null } | null>;
  warn?(text: string): void;
}

export async function listRefs(
  { files, resolve, warn }: ListContext,
  prefix: string,
  { broken }: ListRefsOptions = {},
): Promise<Ref[]> {
  const reject = (name: string, what: "broken ref" | "ref with broken name") =>
    broken === undefined ? warn?.(`ignoring ${what} ${name}`) : broken(name);
  const found = new Map<string, RefValue & { peeled?: Oid }>();
  const packed = await files.packed();
  for (let i = lowerBound(packed.refs, prefix); i < packed.refs.length; i++) {
    const ref = packed.refs[i] as (typeof packed.refs)[number];
    if (!ref.name.startsWith(prefix)) break;
    found.set(ref.name, { kind: "oid", oid: ref.oid, ...(ref.peeled ? { peeled: ref.peeled } : {}) });
  }
  const loose = await looseNames(files, prefix);
  const contents = await files.fs.readMany(loose.map((name) => files.path(name)));
  for (const [i, name] of loose.entries()) {
    const bytes = contents[i];
    if (!bytes) {
      if (broken !== undefined && (await isThere(files, name))) broken(name);
      continue;
    }
    const value = parseLooseRef(decode(bytes));
    if (value === "broken" || !isRefName(name)) {
      reject(name, value === "broken" ? "broken ref" : "ref with broken name");
      found.delete(name);
    } else found.set(name, value);
  }
  const refs: Ref[] = [];
  for (const name of [...found.keys()].sort(compareText)) {
    const value = found.get(name) as RefValue & { peeled?: Oid };
    if (value.kind === "oid") {
      if (value.oid === ZERO_OID) reject(name, "broken ref");
      else refs.push({ name, oid: value.oid, ...(value.peeled ? { peeled: value.peeled } : {}) });
      continue;
    }
    const end = found.get(value.target);
    const resolved = end?.kind === "oid" ? { name: value.target, oid: end.oid } : await resolve(name);
    // A dangling symbolic ref is skipped silently, as in git.
    if (resolved?.oid) refs.push({ name, oid: resolved.oid, target: resolved.name });
  }
  return refs;
}

/** A listed file that cannot be read: a dangling or circular link. False: it was deleted meanwhile. */
async function isThere({ fs, path }: RefFiles, name: string): Promise<boolean> {
  return (await fs.lstat(path(name)).catch(() => null)) !== null;
}

/** Refs of the common directory and of this work tree's own. */
export async function listReflogs(files: RefFiles): Promise<string[]> {
  const names: string[] = [];
  for (const root of new Set([files.commonDir, files.gitDir])) {
    const pending = [""];
    for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
      for (const { name, stat } of await scan(files, `${root}/logs/${dir}`)) {
        const whole = `${dir}${name}`;
        if (stat.type === "dir") pending.push(`${whole}/`);
        else if (!name.endsWith(".lock") && files.logPath(whole) === `${root}/logs/${whole}`) names.push(whole);
      }
    }
  }
  return names.sort(compareText);
}

function lowerBound(refs: readonly { name: string }[], prefix: string): number {
  let low = 0;
  let high = refs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText((refs[middle] as { name: string }).name, prefix) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Full names of the loose files that begin with `prefix`, which need not end at a slash. */
async function looseNames(files: RefFiles, prefix: string): Promise<string[]> {
  const start = prefix.startsWith("refs/") ? prefix.slice(0, prefix.lastIndexOf("/")) : "refs";
  const names: string[] = [];
  const roots = files.gitDir === files.commonDir ? [files.commonDir] : [files.commonDir, files.gitDir];
  for (const root of roots) {
    const pending = [start];
    for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
      for (const { name, stat } of await scan(files, `${root}/${dir}`)) {
        if (name.startsWith(".") || name.endsWith(".lock")) continue;
        const whole = `${dir}/${name}`;
        if (files.path(whole) !== `${root}/${whole}` && stat.type !== "dir") continue;
        if (stat.type === "dir") {
          if (`${whole}/`.startsWith(prefix) || prefix.startsWith(`${whole}/`)) pending.push(whole);
        } else if (whole.startsWith(prefix)) names.push(whole);
      }
    }
  }
  return names;
}

async function scan(files: RefFiles, dir: string) {
  try {
    return await files.fs.scan(dir);
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
