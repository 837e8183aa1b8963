// Made by `npm run api:generate`. Do not edit it.

import {
  FileSystem,
} from "../index.d.ts";

export interface BashFileSystem {
  readFile(path: string, options?: Encoding | {
    encoding?: Encoding | null;
  }): Promise<string>;
  readFileBytes(path: string): Promise<any>;
  readFileBuffer(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: string | Uint8Array, options?: Encoding | {
    encoding?: Encoding;
  }): Promise<void>;
  appendFile(path: string, content: string | Uint8Array, options?: Encoding | {
    encoding?: Encoding;
  }): Promise<void>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<BashStat>;
  lstat(path: string): Promise<BashStat>;
  mkdir(path: string, options?: {
    recursive?: boolean;
  }): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readdirWithFileTypes(path: string): Promise<{
    name: string;
    isFile: boolean;
    isDirectory: boolean;
    isSymbolicLink: boolean;
  }[]>;
  rm(path: string, options?: {
    recursive?: boolean;
    force?: boolean;
  }): Promise<void>;
  cp(from: string, to: string, options?: {
    recursive?: boolean;
  }): Promise<void>;
  mv(from: string, to: string): Promise<void>;
  resolvePath(base: string, path: string): string;
  getAllPaths(): string[];
  chmod(path: string, mode: number): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  utimes(path: string, atime: Date, mtime: Date): Promise<void>;
  withDescriptors?(isLive: (path: string) => boolean): BashFileSystem;
}

export interface BashStat {
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
  mode: number;
  size: number;
  mtime: Date;
  ino?: number;
  identity?: string;
}

export interface JustBashOptions {
  commands?: readonly string[];
}

export function asJustBashFs(fs: FileSystem, { commands }?: JustBashOptions): BashFileSystem;

// Not exported; the declarations above refer to them.

type Encoding = "utf8" | "utf-8" | "ascii" | "binary" | "base64" | "hex" | "latin1";

export {};
