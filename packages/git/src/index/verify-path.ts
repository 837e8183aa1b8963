/**
 * Validates paths of an index, which may be written to a work tree: no empty component, "." or "..", nothing that is ".git" on some
 * file system (`core.protectNTFS` and `core.protectHFS` are always on: the result may be checked out on any), and no symbolic link
 * named .gitmodules.
 */
import { MODE_SYMLINK } from "../object/file-mode.ts";

const DOT_GIT = /^(?:\.git|git~1)[ .]*(?::.*)?$/i;
/** Code points that HFS+ ignores in names. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Without any of these no closer check is needed; most paths of a large tree have none. */
const DOUBTFUL = /\0|git|(?:^|\/)\.{0,2}(?:\/|$)|[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/i;

export function isValidPath(path: string, mode?: number): boolean {
  if (!DOUBTFUL.test(path)) return true;
  if (path.includes("\0")) return false;
  return path.split("/").every((part) => {
    if (part === "" || part === "." || part === "..") return false;
    const onHfs = part.replace(HFS_IGNORED, () => "").toLowerCase();
    if (mode === MODE_SYMLINK && onHfs === ".gitmodules") return false;
    if (onHfs === ".git") return false;
    return !isDotGit(part);
  });
}

/** As NTFS reads the name: trailing dots and spaces, a stream, the short name. */
function isDotGit(part: string): boolean {
  if (!/git/i.test(part)) return false;
  return part.split("\\").some((piece) => DOT_GIT.test(piece));
}
