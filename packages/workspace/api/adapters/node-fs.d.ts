// Made by `npm run api:generate`. Do not edit it.

import {
  FileSystem,
} from "../index.d.ts";

export interface NodeFs extends Record<Verb | DescriptorVerb | "exists", CallbackVerb> {
  promises: Record<Verb | "open" | "watch", (...args: Any[]) => Any> & {
    constants: NodeFsConstants;
  };
  constants: NodeFsConstants;
  createReadStream(path: Any, options?: Any): Any;
  createWriteStream(path: Any, options?: Any): Any;
}

export type NodeFsConstants = typeof constants;

export function asNodeFs(fs: FileSystem): NodeFs;

// Not exported; the declarations above refer to them.

type Any = any;

type CallbackVerb = (...args: any[]) => void;

type DescriptorVerb = "open" | "close" | "read" | "write" | "fstat" | "fsync" | "fdatasync" | "ftruncate";

const VERBS: readonly ["access", "appendFile", "chmod", "copyFile", "cp", "link", "lstat", "lutimes", "mkdir", "mkdtemp", "opendir", "readFile", "readdir", "readlink", "realpath", "rename", "rm", "rmdir", "stat", "statfs", "symlink", "truncate", "unlink", "utimes", "writeFile"];

type Verb = (typeof VERBS)[number];

const constants: {
  readonly F_OK: 0;
  readonly X_OK: 1;
  readonly W_OK: 2;
  readonly R_OK: 4;
  readonly COPYFILE_EXCL: 1;
  readonly O_RDONLY: 0;
  readonly O_WRONLY: 1;
  readonly O_RDWR: 2;
  readonly O_CREAT: 64;
  readonly O_EXCL: 128;
  readonly O_TRUNC: 512;
  readonly O_APPEND: 1024;
};

export {};
