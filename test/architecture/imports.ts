/** Reads the imports of every source file, with their targets, and whether they are types only. Regular expressions suffice for our style. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export const root = join(import.meta.dirname, "../..");

export interface Import {
  /** Path of the importing file from the repository's root. */
  readonly file: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** For a relative import: the file it means. */
  readonly target?: string;
}

const SKIPPED = new Set(["node_modules", "dist", ".wrangler", "results", "peers"]);

export function sourceFiles(folder: string): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) files.push(...sourceFiles(path));
    } else if (/\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts")) files.push(path);
  }
  return files;
}

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found: Import[] = [];
  for (const match of text.matchAll(/^\s*(?:import|export)\b([^;"']*?)\bfrom\s*["']([^"']+)["']/gm)) {
    found.push(importFrom(file, match[2] as string, isTypeOnly(match[1] as string)));
  }
  for (const match of text.matchAll(/^import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm)) {
    found.push(importFrom(file, (match[1] ?? match[2]) as string, false));
  }
  return found;
}

function importFrom(file: string, specifier: string, typeOnly: boolean): Import {
  if (!specifier.startsWith(".")) return { file, specifier, typeOnly };
  return { file, specifier, typeOnly, target: relative(root, join(root, dirname(file), specifier)) };
}

/** `import type …`, or braces in which every name is a type. */
function isTypeOnly(clause: string): boolean {
  const trimmed = clause.trim();
  if (trimmed.startsWith("type ")) return true;
  const names = /^\{([\s\S]*)\}$/.exec(trimmed)?.[1];
  if (names === undefined) return false;
  return names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
}

/** The first cycle among the edges, as the path around it; null when there is none. */
export function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | null => {
    const at = path.indexOf(node);
    if (at >= 0) return [...path.slice(at), node];
    if (done.has(node)) return null;
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle !== null) return cycle;
    }
    path.pop();
    done.add(node);
    return null;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node);
    if (cycle !== null) return cycle;
  }
  return null;
}
