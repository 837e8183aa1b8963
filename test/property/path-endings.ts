/** Every verb on every kind of path with every ending that a path can have, each alone on a small tree. */
import type { Operation, PathOperation } from "./operation.ts";

/** What is there: a file, a directory with something in it, an empty one, and links to each and to nothing. */
const TREE: Operation[] = [
  { op: "writeMany", files: ["f", "d/x"].map((path) => ({ path, content: path })) },
  { op: "mkdir", path: "e", recursive: false, mode: 0o777 },
  ...["f", "d", "e", "nowhere"].map(
    (target): Operation => ({ op: "symlink", target, absolute: false, path: `to-${target}` }),
  ),
];
const NAMES = ["f", "d", "e", "to-f", "to-d", "to-e", "to-nowhere", "missing", "f/below", "missing/below"];
const ENDINGS = ["", "/", "/."];
const PATHS = NAMES.flatMap((name) => ENDINGS.map((ending) => name + ending));
/** For pairs: every path with each of these as they are. */
const OTHERS = ["f", "d", "e", "to-f", "to-d", "missing"];
const PAIRS = PATHS.flatMap((path) => OTHERS.map((name) => [path, name] as const));
/** The first is not for writing. */
const FLAGS = ["r", "r+", "w", "w+", "wx", "a", "a+", "ax"];
const [no, yes] = [false, true];

export function pathEndings(): Operation[][] {
  return [
    ...PATHS.flatMap(onePath),
    ...PAIRS.flatMap(([path, name]) => [...twoPaths(path, name), ...twoPaths(name, path)]),
  ].map((operation) => [...TREE, operation]);
}

function onePath(path: string): Operation[] {
  const reading = ["readFile", "readdir", "scan", "stat", "lstat", "realpath", "readlink", "exists"] as const;
  return [
    ...reading.map((op): Operation => ({ op, path })),
    ...FLAGS.slice(1).map((flag): Operation => ({ op: "writeFile", path, content: "new", flag, mode: 0o700 })),
    ...FLAGS.map((flags): Operation => ({ op: "handle", path, flags, steps: [{ step: "stat" }] })),
    { op: "appendFile", path, content: "new" },
    { op: "truncate", path, length: 1 },
    { op: "mkdir", path, recursive: no, mode: 0o777 },
    { op: "mkdir", path, recursive: yes, mode: 0o777 },
    { op: "rmdir", path },
    { op: "unlink", path },
    { op: "rm", path, recursive: no, force: no },
    { op: "rm", path, recursive: no, force: yes },
    // `rm -r` of a link with a slash is Node's own: see test/contract/differences.ts.
    ...(path.startsWith("to-") && path.includes("/") ? [] : [{ op: "rm", path, recursive: yes, force: no } as const]),
    { op: "chmod", path, mode: 0o711 },
    { op: "utimes", path, seconds: 5000 },
    { op: "lutimes", path, seconds: 5000 },
    { op: "symlink", target: "f", absolute: no, path },
    { op: "symlink", target: path, absolute: no, path: "new" },
  ];
}

function twoPaths(from: string, to: string): PathOperation[] {
  const cp = {
    op: "cp",
    from,
    to,
    force: yes,
    errorOnExist: no,
    preserveTimestamps: no,
    verbatimSymlinks: no,
  } as const;
  return [
    { op: "rename", from, to },
    { op: "link", from, to },
    { op: "copyFile", from, to, exclusive: no },
    { op: "copyFile", from, to, exclusive: yes },
    { ...cp, recursive: no },
    { ...cp, recursive: yes },
  ];
}
