/**
 * Where ours differs from `node:fs` on Linux on purpose. docs/differences.md is made from this list, and `differing.ts` holds
 * both sides to what it says: nothing that differs is left out of the contract in silence.
 */
export interface Difference {
  /** What one does. */
  name: string;
  ours: string;
  node: string;
  why: string;
}

export const differences = {
  "nul-in-path": {
    name: "A path with a NUL",
    ours: "EINVAL, with `syscall` and `path`",
    node: "ERR_INVALID_ARG_VALUE, a TypeError",
    why: "Our errors are one class with a closed set of codes, which survives Workers RPC; Node checks the argument before it asks the kernel.",
  },
  "relative-path": {
    name: "A relative path",
    ours: "EINVAL",
    node: "Resolved against the process's working directory",
    why: "A workspace has no working directory: it has many callers at once.",
  },
  "lone-surrogate-in-path": {
    name: "A path with half of a surrogate pair",
    ours: "EINVAL",
    node: "Writes U+FFFD in its place, so two such names are the same file",
    why: "A name that cannot be read back as it was written loses files.",
  },
  "bad-argument": {
    name: "An unknown encoding or open flag, a mode or length out of range",
    ours: "EINVAL",
    node: "ERR_INVALID_ARG_VALUE or ERR_OUT_OF_RANGE",
    why: "As for NUL: one closed set of codes.",
  },
  "time-as-text": {
    name: "`utimes` with a date as text (`2020-01-01`)",
    ours: "Taken as a date; what is none is EINVAL",
    node: "ERR_INVALID_ARG_TYPE unless it is a number as text",
    why: "`Time` is one type wherever we take a time (`find`, `writeMany`, `utimes`), and models write dates.",
  },
  "access-time": {
    name: "Access times",
    ours: "There is none: `atime` is `mtime`, and what `utimes` is given for it is ignored",
    node: "Kept",
    why: "A read would cost a write.",
  },
  "handle-visibility": {
    name: "What is written through a FileHandle",
    ours: "Visible to others at `sync`, `datasync` or `close`, all at once; to the handle itself at once",
    node: "Visible at once",
    why: "A verb happens wholly or not at all, also when the object is evicted between two writes.",
  },
  "stream-that-fails": {
    name: "`writeFile` of a stream that fails half way",
    ours: "The file keeps its old content",
    node: "The file holds what came before the failure",
    why: "A verb happens wholly or not at all.",
  },
  "cp-that-fails": {
    name: "`cp` of a tree that fails half way",
    ours: "Nothing is copied",
    node: "What was copied before the failure stays",
    why: "A verb happens wholly or not at all.",
  },
  "copy-file-that-fails": {
    name: "`copyFile` of a directory onto a file",
    ours: "EISDIR, and the file stays",
    node: "EISDIR, and the file is gone (libuv removes the target of a copy that failed)",
    why: "Bad input changes nothing.",
  },
  "cp-exclusive": {
    name: "`cp` with `mode: COPYFILE_EXCL` onto a file that is there",
    ours: "EEXIST, and nothing is copied; without `force` the file stays",
    node: "Replaces it unless `force` is false (it removes the target before it copies)",
    why: "A caller that asks not to overwrite must not lose a file.",
  },
  "copy-of-nothing": {
    name: "`copyFile` and `cp` of an empty file",
    ours: "The copy's `mtime` is now, as for any other file",
    node: "The copy has the source's `mtime` (libuv sets it before it writes, and then writes nothing)",
    why: "One rule for all files; `preserveTimestamps` asks for the other.",
  },
  "mkdir-that-fails": {
    name: "`mkdir` recursive over `..`, failing at its last name",
    ours: "Makes nothing",
    node: "Leaves the directories it made on the way",
    why: "A verb happens wholly or not at all.",
  },
  "rm-dot-dot": {
    name: "`rm` recursive of a path that ends in `..`",
    ours: "Removes the directory it names",
    node: "Empties the directory, leaves it, and reports success",
    why: "Node asks to remove `d/e/..` after it removed `d/e`, and takes the answer for success; a verb happens wholly or not at all.",
  },
  "rm-link-slash": {
    name: "`rm` recursive of a link to a directory, with a trailing slash",
    ours: "ENOTDIR, and nothing is removed",
    node: "Reports success and removes nothing",
    why: "A success that did nothing is a lie; `rm -r link/` of GNU coreutils says the same as we do.",
  },
  "readdir-recursive-links": {
    name: "`readdir` recursive, without types, where there are links to directories",
    ours: "Does not follow them, as with `withFileTypes`",
    node: "Follows them, so a loop is listed forty times over",
    why: "One walk, whatever is returned; a tree with a link to its parent must have a finite listing.",
  },
  "readdir-order": {
    name: "Order of `readdir`, `opendir` and `glob`",
    ours: "Byte order of names",
    node: "As the file system has them",
    why: "The same answer every time, and pages that can be resumed.",
  },
  "closed-dir": {
    name: "`read` and `close` of a directory handle that was closed",
    ours: "EBADF",
    node: "ERR_DIR_CLOSED",
    why: "One closed set of codes.",
  },
} as const satisfies Record<string, Difference>;

export type DifferenceName = keyof typeof differences;
