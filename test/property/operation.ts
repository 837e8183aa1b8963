/**
 * One step of a random sequence, as data: it is sent to Node as JSON and played there and here by the same code (`play.ts`).
 * Paths are relative to the sequence's root and use few names, so that operations meet.
 *
 * What cannot leave the root: paths hold at most one `..`, never first; link targets hold none. With the root one level below
 * a directory of the sequence's own, whatever the links say, nothing outside that directory can be reached.
 */
import * as fc from "fast-check";

/** Text, or so many patterned bytes. */
export type Bytes = string | { size: number; seed: number };

export type PathOperation =
  | { op: "writeFile"; path: string; content: Bytes; flag: string; mode: number }
  | { op: "appendFile"; path: string; content: Bytes }
  | { op: "truncate"; path: string; length: number }
  | { op: "readFile" | "readdir" | "scan" | "stat" | "lstat" | "realpath" | "readlink" | "exists"; path: string }
  | { op: "mkdir"; path: string; recursive: boolean; mode: number }
  | { op: "rmdir" | "unlink"; path: string }
  | { op: "rm"; path: string; recursive: boolean; force: boolean }
  | { op: "rename" | "link"; from: string; to: string }
  | { op: "copyFile"; from: string; to: string; exclusive: boolean }
  | {
      op: "cp";
      from: string;
      to: string;
      recursive: boolean;
      force: boolean;
      errorOnExist: boolean;
      preserveTimestamps: boolean;
      verbatimSymlinks: boolean;
    }
  | { op: "symlink"; target: string; absolute: boolean; path: string }
  | { op: "chmod"; path: string; mode: number }
  | { op: "utimes" | "lutimes"; path: string; seconds: number }
  | { op: "writeMany"; files: { path: string; content: string }[] };

export type HandleStep =
  | { step: "write"; content: Bytes; position: number | null }
  | { step: "read"; length: number; position: number | null }
  | { step: "truncate"; length: number }
  | { step: "readFile" | "stat" | "sync" }
  | { step: "writeFile"; content: Bytes }
  | { step: "chmod"; mode: number }
  /** Something by path while the handle is open; the handle is synced before. */
  | { step: "meanwhile"; operation: PathOperation };

export type Operation =
  | PathOperation
  | { op: "handle"; path: string; flags: string; steps: HandleStep[] }
  /** Handles that stay open over other operations, by number; one that is open already is closed first. */
  | { op: "open"; handle: number; path: string; flags: string }
  | { op: "step"; handle: number; step: HandleStep }
  | { op: "close"; handle: number };

const directoryName = fc.constantFrom("a", "b");
const fileName = fc.constantFrom("f", "g", "h");
/** Where there is likely a directory, and where a file; each is now and then taken for the other. */
const directoryPath = fc.oneof(
  { weight: 5, arbitrary: directoryName },
  { weight: 4, arbitrary: joined(directoryName, directoryName) },
  { weight: 1, arbitrary: joined(directoryName, directoryName, directoryName) },
);
const filePath = fc.oneof(
  { weight: 1, arbitrary: fileName },
  { weight: 2, arbitrary: joined(directoryPath, fileName) },
);
const plainFile = fc.oneof({ weight: 6, arbitrary: filePath }, { weight: 1, arbitrary: directoryPath });
const plainDirectory = fc.oneof({ weight: 6, arbitrary: directoryPath }, { weight: 1, arbitrary: filePath });
const plainPath = fc.oneof({ weight: 1, arbitrary: filePath }, { weight: 1, arbitrary: directoryPath });
const file = decorated(plainFile);
const directory = decorated(plainDirectory);
const path = decorated(plainPath);
/** Of two bad paths Linux looks at the first one first, and only at an empty one before both. */
const secondFile = file.filter((p) => p !== "");
const secondPath = path.filter((p) => p !== "");

function joined(...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((names) => names.join("/"));
}

/** Mostly as it is; else with a slash, a dot or a `..`, through a file, or empty. */
function decorated(plain: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 60, arbitrary: plain },
    { weight: 1, arbitrary: plain.map((p) => `${p}/`) },
    { weight: 1, arbitrary: plain.map((p) => `${p}/.`) },
    { weight: 1, arbitrary: plain.map((p) => `${p}/..`) },
    { weight: 2, arbitrary: fc.tuple(plain, fileName).map(([p, n]) => `${p}/../${n}`) },
    { weight: 1, arbitrary: fc.tuple(plain, fileName).map(([p, n]) => `${p}/.//${n}`) },
    { weight: 1, arbitrary: fc.constant("") },
  );
}
const target = fc.oneof(
  { weight: 8, arbitrary: plainPath },
  { weight: 1, arbitrary: plainPath.map((p) => `${p}/`) },
  { weight: 1, arbitrary: fc.constantFrom(".", "./a", "a/./f", "nowhere") },
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom("", "é€😀", "line\n".repeat(20)) },
);
const bytes: fc.Arbitrary<Bytes> = fc.oneof(
  { weight: 40, arbitrary: text },
  { weight: 3, arbitrary: sized(100, 5000) },
  { weight: 1, arbitrary: sized(131_060, 131_090) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1_048_575, 1_048_576, 1_048_577, 1_200_000).map((size) => ({ size, seed: size })),
  },
);
/** Mostly near a short content, sometimes near the bounds of chunks and rows. */
const length = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 2, arbitrary: fc.constantFrom(131_071, 131_072, 131_073, 200_000, 1_048_576, 1_048_577) },
);
/** Those that leave the owner all rights, so that it runs for anybody. */
const mode = fc.constantFrom(0o700, 0o755, 0o777, 0o744, 0o711);
const seconds = fc.integer({ min: 1, max: 9 }).map((n) => n * 1000);

function sized(min: number, max: number): fc.Arbitrary<Bytes> {
  return fc.record({ size: fc.integer({ min, max }), seed: fc.nat({ max: 9 }) });
}

function of<T extends Operation["op"]>(
  op: T,
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<PathOperation> {
  return fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<PathOperation>;
}

/** Those that `node:fs` does in one piece, and that may be played while a file is open. */
const singleOperation: fc.Arbitrary<PathOperation> = fc.oneof(
  {
    weight: 12,
    arbitrary: of("writeFile", {
      path: file,
      content: bytes,
      flag: fc.constantFrom("w", "w", "w", "wx", "a", "ax", "r+", "w+", "a+"),
      mode,
    }),
  },
  { weight: 4, arbitrary: of("appendFile", { path: file, content: bytes }) },
  { weight: 3, arbitrary: of("truncate", { path: file, length }) },
  { weight: 3, arbitrary: of("readFile", { path: file }) },
  { weight: 2, arbitrary: of("readdir", { path: directory }) },
  { weight: 1, arbitrary: of("scan", { path: directory }) },
  { weight: 3, arbitrary: of("stat", { path }) },
  { weight: 3, arbitrary: of("lstat", { path }) },
  { weight: 2, arbitrary: of("realpath", { path }) },
  { weight: 2, arbitrary: of("readlink", { path: file }) },
  { weight: 1, arbitrary: of("exists", { path }) },
  { weight: 8, arbitrary: mkdir() },
  { weight: 3, arbitrary: of("rmdir", { path: directory }) },
  { weight: 4, arbitrary: of("unlink", { path: file }) },
  { weight: 4, arbitrary: rm() },
  {
    weight: 10,
    arbitrary: fc.oneof(of("rename", { from: path, to: secondPath }), of("rename", { from: file, to: secondFile })),
  },
  { weight: 6, arbitrary: of("link", { from: file, to: secondFile }) },
  { weight: 6, arbitrary: of("symlink", { target, absolute: fc.boolean(), path }) },
  { weight: 3, arbitrary: of("chmod", { path, mode }) },
  { weight: 3, arbitrary: of("utimes", { path, seconds }) },
  { weight: 1, arbitrary: of("lutimes", { path, seconds }) },
);

/** Those that `node:fs` may leave half done: the player puts the directory back when they fail. */
const compoundOperation: fc.Arbitrary<PathOperation> = fc.oneof(
  { weight: 3, arbitrary: of("copyFile", { from: file, to: secondFile, exclusive: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: of("cp", {
      // Node joins `..` as text here, and a kernel does not: plain paths only (see test/contract/differences.ts).
      from: plainPath,
      to: plainPath,
      recursive: fc.constantFrom(true, true, true, false),
      force: fc.constantFrom(true, true, false),
      errorOnExist: fc.boolean(),
      preserveTimestamps: fc.boolean(),
      verbatimSymlinks: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: of("writeMany", {
      files: fc.array(fc.record({ path: plainFile, content: text }), { minLength: 1, maxLength: 3 }),
    }),
  },
);

/** Node's recursive `mkdir` makes what stands before a `..`, and leaves it when it then fails; ours leaves nothing. */
function mkdir(): fc.Arbitrary<PathOperation> {
  const fields = { recursive: fc.boolean(), mode: fc.constantFrom(0o777, 0o777, 0o700) };
  return of("mkdir", { path: directory, ...fields }).filter(
    (created) => !(created.op === "mkdir" && created.recursive && created.path.includes("..")),
  );
}

/** `rm -r` of `link/`, `.` and `..` is Node's own: see test/contract/differences.ts. */
function rm(): fc.Arbitrary<PathOperation> {
  return fc.record({ path, recursive: fc.boolean(), force: fc.boolean() }).map((fields) => ({
    op: "rm" as const,
    ...fields,
    path: fields.recursive ? fields.path.replace(/\/\.{0,2}$/, () => "") : fields.path,
  }));
}

const position = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(-1) },
  { weight: 3, arbitrary: length },
);
const handleStep: fc.Arbitrary<HandleStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ step: fc.constant("write" as const), content: bytes, position }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("read" as const), length, position }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("truncate" as const), length }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("readFile" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("stat" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("sync" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("writeFile" as const), content: bytes }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("chmod" as const), mode }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("meanwhile" as const), operation: singleOperation }) },
);

const flags = fc.constantFrom("r", "r+", "w", "w+", "wx", "wx+", "a", "a+", "ax");
const handle = fc.nat({ max: 3 });

/** Names come and go while several handles are open. Nothing that the player undoes by making the files anew: see `compoundOperation`. */
const operationBesideHandles: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ op: fc.constant("open" as const), handle, path: filePath, flags }) },
  { weight: 24, arbitrary: fc.record({ op: fc.constant("step" as const), handle, step: handleStep }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("close" as const), handle }) },
  { weight: 6, arbitrary: of("link", { from: filePath, to: filePath }) },
  { weight: 5, arbitrary: of("unlink", { path: filePath }) },
  { weight: 5, arbitrary: of("rename", { from: plainPath, to: plainPath }) },
  {
    weight: 2,
    arbitrary: of("rm", { path: directoryPath, recursive: fc.constant(true), force: fc.constant(true) }),
  },
  { weight: 6, arbitrary: singleOperation },
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 22, arbitrary: singleOperation },
  { weight: 2, arbitrary: compoundOperation },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("handle" as const),
      path: file,
      flags,
      steps: fc.array(handleStep, { minLength: 1, maxLength: 8 }),
    }),
  },
);

/** What gives the rest something to meet: directories, files, links. */
const making: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: of("mkdir", { path: directoryPath, recursive: fc.constant(true), mode: fc.constant(0o777) }),
  },
  {
    weight: 5,
    arbitrary: of("writeMany", {
      files: fc.array(fc.record({ path: plainFile, content: text }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: of("link", { from: filePath, to: filePath }) },
  { weight: 2, arbitrary: of("symlink", { target, absolute: fc.boolean(), path: plainPath }) },
);

const MAKING = 10;

/** So many operations, the first few of which make things. */
export function sequence(length: number): fc.Arbitrary<Operation[]> {
  return beginning(length, operation);
}

/** The same with handles that stay open. */
export function handleSequence(length: number): fc.Arbitrary<Operation[]> {
  return beginning(length, operationBesideHandles);
}

function beginning(length: number, then: fc.Arbitrary<Operation>): fc.Arbitrary<Operation[]> {
  const first = Math.min(MAKING, length);
  const rest = length - first;
  return fc
    .tuple(
      fc.array(making, { minLength: first, maxLength: first }),
      fc.array(then, { minLength: rest, maxLength: rest }),
    )
    .map(([created, played]) => [...created, ...played]);
}
