/**
 * Maps a URL to a workspace's name and a path in it. `/api/w/demo/files/a/b.txt` is `/workspace/a/b.txt` of "demo": the URL cannot
 * name anything outside the root. Each segment is percent-decoded exactly once and must then be one name, so `%2F`, `%2E%2E` and
 * similar are refused. (A literal `..` never arrives: URL parsers fold it first.)
 */
import { rawPath } from "../../http/raw-path.ts";
import { decodeSegment, ROOT, notUtf8 as refused, workspaceName } from "../../http/workspace-path.ts";

export interface FilePath {
  workspace: string;
  /** Absolute, without a trailing slash; `ROOT` itself for the root. */
  path: string;
  /** The URL ended in a slash: the path must be a directory. */
  directory: boolean;
}

/** The segments before the path: "", "api", "w", name, "files". */
const NAME_SEGMENT = 3;
const FIRST_SEGMENT = 5;

export function parseFilePath(url: string): FilePath {
  const segments = rawPath(url).split("/");
  const workspace = workspaceName(decodeSegment(segments[NAME_SEGMENT] ?? ""));
  const names = segments
    .slice(FIRST_SEGMENT)
    .filter((segment) => segment !== "")
    .map(decodeName);
  const path = [ROOT, ...names].join("/");
  return { workspace, path, directory: segments.length > FIRST_SEGMENT && segments.at(-1) === "" };
}

function decodeName(segment: string): string {
  const name = decodeSegment(segment);
  if (name === "." || name === "..") throw refused(`"${name}" is not a name of a file`);
  if (/[/\\]/.test(name)) throw refused("a slash or backslash is not part of a file's name");
  if (name.includes("\0")) throw refused("the path holds a NUL");
  return name;
}
