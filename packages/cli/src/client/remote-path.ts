/**
 * Workspace paths as people type them: `src/a.ts`, `/workspace/src/a.ts`, `.`. They are made absolute here, with dots folded, and
 * cannot leave the root. A name that the HTTP API cannot carry is refused before anything is sent.
 */
import { CliError } from "../cli-error.ts";

export const ROOT = "/workspace";

/** `/workspace`, or `/workspace/…` without a trailing slash. */
export function remotePath(text: string): string {
  if (text.includes("\0")) throw new CliError("EINVAL", "the path holds a NUL");
  const inside = text === ROOT || text.startsWith(`${ROOT}/`) ? text.slice(ROOT.length) : text;
  if (inside === text && text.startsWith("/")) {
    throw new CliError(
      "EINVAL",
      `"${text}" is not in the workspace`,
      `Paths are relative to ${ROOT}, or start with it.`,
    );
  }
  const names: string[] = [];
  for (const name of inside.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw new CliError("EINVAL", `"${text}" leads out of the workspace`);
  }
  return [ROOT, ...names].join("/");
}

/** The route of a file's bytes: each name encoded once. */
export function filesRoute(path: string): string {
  const names = path
    .slice(ROOT.length)
    .split("/")
    .filter((name) => name !== "");
  const odd = names.find((name) => name.includes("\\"));
  if (odd !== undefined) throw new CliError("EINVAL", `"${odd}" has a backslash, which the HTTP API does not carry`);
  return `files/${names.map(encodeURIComponent).join("/")}`;
}

/** Formats a path for display, relative to the root. */
export function shownPath(path: string): string {
  return path === ROOT ? "." : path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : path;
}

export function joinRemote(base: string, relative: string): string {
  return relative === "" ? base : `${base}/${relative}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
