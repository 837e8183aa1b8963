/**
 * From the URL to a workspace's name and a path in it. `/api/w/demo/files/a/b.txt` is `/workspace/a/b.txt` of "demo": the URL can
 * name nothing outside the root. Each segment is percent-decoded exactly once and must then be one name, so that `%2F`, `%2E%2E`
 * and their kin are refused instead of understood. (`..` as such never arrives: URL parsers fold it before we see it.)
 */
import { HttpError } from "../errors/http-error.ts";
import { rawPath } from "../http/raw-path.ts";
import { LIMITS } from "../limits.ts";

export const ROOT = "/workspace";

export interface FilePath {
  workspace: string;
  /** Absolute, without a slash at the end; `ROOT` itself for the root. */
  path: string;
  /** The URL ended in a slash: only a directory will do. */
  directory: boolean;
}

/** The segments before the path: "", "api", "w", name, "files". */
const NAME_SEGMENT = 3;
const FIRST_SEGMENT = 5;

export function parseFilePath(url: string): FilePath {
  const segments = rawPath(url).split("/");
  const workspace = workspaceName(decode(segments[NAME_SEGMENT] ?? ""));
  const names = segments
    .slice(FIRST_SEGMENT)
    .filter((segment) => segment !== "")
    .map(nameOf);
  const path = [ROOT, ...names].join("/");
  return { workspace, path, directory: segments.length > FIRST_SEGMENT && segments.at(-1) === "" };
}

export function workspaceName(name: string): string {
  const fits = name.length <= LIMITS.workspaceName && /^[A-Za-z0-9._-]+$/.test(name) && !/^\.+$/.test(name);
  if (fits) return name;
  throw new HttpError("EINVAL", "not a workspace's name", {
    hint: `A name is 1 to ${LIMITS.workspaceName} of A-Z a-z 0-9 . _ - and not only dots.`,
  });
}

function nameOf(segment: string): string {
  const name = decode(segment);
  if (name === "." || name === "..") throw refused(`"${name}" is not a name of a file`);
  if (/[/\\]/.test(name)) throw refused("a slash or backslash is not part of a file's name");
  if (name.includes("\0")) throw refused("the path holds a NUL");
  return name;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw refused("the path is not percent-encoded UTF-8", cause);
  }
}

function refused(message: string, cause?: unknown): HttpError {
  return new HttpError("EINVAL", message, {
    hint: "Encode each name of the path as UTF-8, once, and join them with /.",
    cause,
  });
}
