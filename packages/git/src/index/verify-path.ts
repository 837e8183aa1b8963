/**
 * Which paths may stand in an index, and so be written into a work tree: no empty part, "." or "..", nothing that is ".git" on some
 * file system (`core.protectNTFS` and `core.protectHFS` are on everywhere: who checks out what is made here may be on any), and no
 * symbolic link named .gitmodules.
 */

const SYMLINK = 0o120000;
const DOT_GIT = /^(?:\.git|git~1)[ .]*(?::.*)?$/i;
/** Code points that HFS+ leaves out of names. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Without any of this there is nothing to look at closer; most paths of a large tree have nothing of it. */
const DOUBTFUL = /\0|git|(?:^|\/)\.{0,2}(?:\/|$)|[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/i;

export function isValidPath(path: string, mode?: number): boolean {
  if (!DOUBTFUL.test(path)) return true;
  if (path.includes("\0")) return false;
  return path.split("/").every((part) => {
    if (part === "" || part === "." || part === "..") return false;
    const onHfs = part.replace(HFS_IGNORED, () => "").toLowerCase();
    if (mode === SYMLINK && onHfs === ".gitmodules") return false;
    if (onHfs === ".git") return false;
    return !isDotGit(part);
  });
}

/** As NTFS would read the name: trailing dots and spaces, a stream, the short name. */
function isDotGit(part: string): boolean {
  if (!/git/i.test(part)) return false;
  return part.split("\\").some((piece) => DOT_GIT.test(piece));
}
