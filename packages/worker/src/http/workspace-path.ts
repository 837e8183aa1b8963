/**
 * Parses the names in requests: a workspace's name, a segment of a URL, a path in a query or a body. Each is parsed once, here;
 * anything that is not plainly one name is refused. `resolvePath` handles links on a path.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";

export const ROOT = "/workspace";

export function workspaceName(name: string): string {
  const fits = name.length <= LIMITS.workspaceName && /^[A-Za-z0-9._-]+$/.test(name) && !/^\.+$/.test(name);
  if (fits) return name;
  throw new HttpError("EINVAL", "not a workspace's name", {
    hint: `A name is 1 to ${LIMITS.workspaceName} of A-Z a-z 0-9 . _ - and not only dots.`,
  });
}

/** Absolute and under the root, or relative to it. `..` is refused. */
export function workspacePath(text: string | undefined): string {
  const names = (text ?? "").split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw new HttpError("EINVAL", '".." is not taken in a path');
  if (!text?.startsWith("/")) return [ROOT, ...names].join("/");
  const path = `/${names.join("/")}`;
  if (isInside(path)) return path;
  throw new HttpError("EACCES", `a path lies under ${ROOT}`, { path: text });
}

export function isInside(path: string): boolean {
  return path === ROOT || path.startsWith(`${ROOT}/`);
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw notUtf8("the path is not percent-encoded UTF-8", cause);
  }
}

export function notUtf8(message: string, cause?: unknown): HttpError {
  return new HttpError("EINVAL", message, {
    hint: "Encode each name of the path as UTF-8, once, and join them with /.",
    cause,
  });
}
