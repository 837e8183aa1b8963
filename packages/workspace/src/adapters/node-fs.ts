/**
 * A workspace in the shape of `node:fs`, for libraries that take an `fs`: callbacks, `promises`, Buffers, streams and descriptors.
 * There are no `…Sync` functions, because a binding cannot be awaited synchronously.
 */
import { Buffer } from "node:buffer";
import type { FileHandle, FileSystem } from "@workspace/vfs";
import { type CallbackVerb, callbackOf, withCallbacks } from "./node-fs/callbacks.ts";
import { descriptorVerbs } from "./node-fs/descriptors.ts";
import { createReadStream, createWriteStream } from "./node-fs/streams.ts";
import { toPath } from "./node-fs/to-path.ts";

// Node's own types are not used here: a project without `@types/node` must be able to read these declarations.
// biome-ignore lint/suspicious/noExplicitAny: stands for Node's Readable, Writable, Stats and Buffer
type Any = any;

/** Verbs that Node has both as a promise and with a callback. */
const VERBS = [
  "access",
  "appendFile",
  "chmod",
  "copyFile",
  "cp",
  "link",
  "lstat",
  "lutimes",
  "mkdir",
  "mkdtemp",
  "opendir",
  "readFile",
  "readdir",
  "readlink",
  "realpath",
  "rename",
  "rm",
  "rmdir",
  "stat",
  "statfs",
  "symlink",
  "truncate",
  "unlink",
  "utimes",
  "writeFile",
] as const;

type Verb = (typeof VERBS)[number];
type DescriptorVerb = "open" | "close" | "read" | "write" | "fstat" | "fsync" | "fdatasync" | "ftruncate";

export interface NodeFs extends Record<Verb | DescriptorVerb | "exists", CallbackVerb> {
  promises: Record<Verb | "open" | "watch", (...args: Any[]) => Any> & { constants: NodeFsConstants };
  constants: NodeFsConstants;
  createReadStream(path: Any, options?: Any): Any;
  createWriteStream(path: Any, options?: Any): Any;
}

export type NodeFsConstants = typeof constants;

const constants = {
  F_OK: 0,
  X_OK: 1,
  W_OK: 2,
  R_OK: 4,
  COPYFILE_EXCL: 1,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
} as const;

export function asNodeFs(fs: FileSystem): NodeFs {
  const verbs = Object.fromEntries(VERBS.map((verb) => [verb, promised(fs, verb)])) as Record<Verb, Promised>;
  const open = async (path: unknown, flags?: string | number, mode?: number) =>
    withBuffers(await fs.open(toPath(path), flags, mode));
  return {
    ...withCallbacks(verbs),
    ...descriptorVerbs(open),
    // Node's only callback without an error.
    exists: (path: unknown, ...rest: unknown[]) =>
      void fs.exists(toPath(path)).then((found) => callbackOf("exists", rest)(found as never)),
    createReadStream: (path, options) => createReadStream(open, path, options),
    createWriteStream: (path, options) => createWriteStream(open, path, options),
    constants,
    promises: {
      ...verbs,
      open,
      watch: (path: unknown, options?: object) => fs.watch(toPath(path), options),
      constants,
    },
  };
}

type Promised = (...args: unknown[]) => Promise<unknown>;

/** The number of paths of the verbs with two; all others have one, first. */
const PATHS: Partial<Record<Verb, number>> = { copyFile: 2, cp: 2, link: 2, rename: 2, symlink: 2 };

function promised(fs: FileSystem, verb: Verb): Promised {
  return async (...args) => {
    const paths = PATHS[verb] ?? 1;
    const given = args.map((arg, at) => (at < paths ? toPath(arg) : arg));
    const call = fs[verb] as Promised;
    return asBuffer(await call(...given), verb);
  };
}

/** Verbs that read bytes return Buffers; verbs that only write return nothing, as in Node. */
function asBuffer(value: unknown, verb: Verb): unknown {
  if (verb === "writeFile" || verb === "appendFile") return undefined;
  return value instanceof Uint8Array ? bufferOf(value) : value;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function withBuffers(handle: FileHandle): FileHandle {
  const readFile = async (options?: never) => {
    const content: unknown = await handle.readFile(options);
    return content instanceof Uint8Array ? bufferOf(content) : content;
  };
  return new Proxy(handle, {
    get(target, key) {
      if (key === "readFile") return readFile;
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
