/** The routes of the file tree: `tree`, `stat`, `mkdir` and `rename`. */
import { FsError } from "@cloudflare/workspace";
import {
  mkdirBody,
  mkdirResponse,
  renameBody,
  renameResponse,
  statQuery,
  statResponse,
  treeQuery,
  treeResponse,
} from "../api/tree.ts";
import { HttpError } from "../errors/http-error.ts";
import { fromBase64url, toBase64url } from "../http/base64url.ts";
import { ROOT, workspacePath } from "../http/workspace-path.ts";
import { LIMITS } from "../limits.ts";
import { resolveEntry, resolveExisting, resolvePath } from "./files/resolve-path.ts";
import { listTree } from "./list-tree.ts";
import { defineRoute, type Route } from "./route.ts";
import { toEntry } from "./to-entry.ts";

export const treeRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/w/:name/tree",
    summary: "A page of the entries below a directory, to a depth",
    access: "read",
    kind: "tree",
    query: treeQuery,
    answers: [{ schema: treeResponse }],
    async run({ workspace: { fs }, query: { path, depth = 1, cursor, limit = LIMITS.listPage } }) {
      const requested = workspacePath(path);
      const found = await resolveExisting(fs, requested);
      if (found.stat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "scan", path: requested });
      const after = cursor === undefined ? [] : parseCursor(cursor);
      const { entries, more } = await listTree(fs, found.path, { depth, limit, after });
      const last = entries.at(-1)?.path;
      const next = more && last !== undefined ? { cursor: cursorAt(last.slice(found.path.length + 1)) } : {};
      return Response.json({ entries, ...next });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/w/:name/stat",
    summary: "One entry, a link itself if it is one",
    access: "read",
    kind: "stat",
    query: statQuery,
    answers: [{ schema: statResponse }],
    async run({ workspace: { fs }, query: { path } }) {
      const { path: at, lstat } = await resolveEntry(fs, workspacePath(path));
      const target = lstat.type === "symlink" ? { target: await fs.readlink(at) } : {};
      const { contentVersion, ctimeMs, birthtimeMs, nlink, ino } = lstat;
      return Response.json({
        ...toEntry(at, lstat),
        ...{ contentVersion, ctime: ctimeMs, birthtime: birthtimeMs, nlink, ino },
        ...target,
      });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/w/:name/mkdir",
    summary: "Makes a directory and its parents",
    access: "write",
    kind: "mkdir",
    body: mkdirBody,
    answers: [{ schema: mkdirResponse }],
    async run({ workspace: { fs }, body }) {
      const requested = workspacePath(body.path);
      const at = await resolvePath(fs, requested);
      if (at.stat !== null && at.stat.type !== "dir")
        throw new FsError("EEXIST", { syscall: "mkdir", path: requested });
      const created = at.stat === null ? await fs.mkdir(at.path, { recursive: true }) : undefined;
      return Response.json({ path: at.path, created: created !== undefined });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/w/:name/rename",
    summary: "Moves an entry; what is at the target is replaced as rename(2) replaces it",
    access: "write",
    kind: "rename",
    body: renameBody,
    answers: [{ schema: renameResponse }],
    async run({ workspace: { fs }, body: { from, to, ...versions } }) {
      const [source, target] = [workspacePath(from), workspacePath(to)];
      if (source === ROOT || target === ROOT) throw new FsError("EBUSY", { syscall: "rename", path: ROOT });
      const entry = await resolveEntry(fs, source);
      const parent = await resolveExisting(fs, target.slice(0, target.lastIndexOf("/")));
      const there = `${parent.path}${target.slice(target.lastIndexOf("/"))}`;
      await fs.rename(entry.path, there, versions);
      return Response.json({ from: entry.path, to: there });
    },
  }),
];

const encoder = new TextEncoder();

function cursorAt(below: string): string {
  return toBase64url(encoder.encode(below));
}

function parseCursor(cursor: string): string[] {
  const bytes = fromBase64url(cursor);
  const text = bytes === null ? "" : new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const names = text.split("/");
  const fits = names.every((name) => name !== "" && name !== "." && name !== ".." && !/[\0\ufffd]/.test(name));
  if (!fits) throw new HttpError("EINVAL", "not a cursor", { hint: "Pass the cursor of the page before as it is." });
  return names;
}
