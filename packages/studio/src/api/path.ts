/**
 * Paths in the studio are relative to the workspace's root ("src/a.ts", "" is the root itself); the API uses absolute ones in JSON
 * and relative ones in URLs. Only this file converts them.
 */
const ROOT = "/workspace";

export function absolute(path: string): string {
  return path === "" ? ROOT : `${ROOT}/${path}`;
}

/** Null for a path outside the root. */
export function relative(path: string): string | null {
  if (path === ROOT) return "";
  if (path.startsWith(`${ROOT}/`)) return path.slice(ROOT.length + 1);
  return path.startsWith("/") ? null : path;
}

export function inUrl(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function dirname(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

export function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

export function workspaceUrl(workspace: string, route: string): string {
  return `/api/w/${encodeURIComponent(workspace)}/${route}`;
}
