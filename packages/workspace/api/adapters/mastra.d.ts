// Made by `npm run api:generate`. Do not edit it.

import {
  FileSystem,
} from "../index.d.ts";

export interface MastraErrors {
  FileNotFoundError: ErrorOfPath;
  DirectoryNotFoundError: ErrorOfPath;
  FileExistsError: ErrorOfPath;
  IsDirectoryError: ErrorOfPath;
  NotDirectoryError: ErrorOfPath;
  DirectoryNotEmptyError: ErrorOfPath;
  StaleFileError: new (path: string, expected: Date, actual: Date) => Error;
}

export interface MastraFileEntry {
  name: string;
  type: "file" | "directory";
  size: number;
  isSymlink?: boolean;
  symlinkTarget?: string;
}

export interface MastraFileStat {
  name: string;
  path: string;
  type: "file" | "directory";
  size: number;
  createdAt: Date;
  modifiedAt: Date;
  mimeType?: string;
}

export interface MastraFilesystem {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly readOnly: boolean;
  status: "ready";
  getInstructions(): string;
  realpath(path: string): Promise<string>;
  readFile(path: string, options?: {
    encoding?: any;
  }): Promise<any>;
  writeFile(path: string, content: string | Uint8Array, options?: MastraWriteOptions): Promise<void>;
  appendFile(path: string, content: string | Uint8Array): Promise<void>;
  deleteFile(path: string, options?: {
    force?: boolean;
  }): Promise<void>;
  copyFile(from: string, to: string, options?: {
    overwrite?: boolean;
  }): Promise<void>;
  moveFile(from: string, to: string, options?: {
    overwrite?: boolean;
  }): Promise<void>;
  mkdir(path: string, options?: {
    recursive?: boolean;
  }): Promise<void>;
  rmdir(path: string, options?: {
    recursive?: boolean;
    force?: boolean;
  }): Promise<void>;
  readdir(path: string, options?: {
    recursive?: boolean;
    extension?: string | string[];
    maxDepth?: number;
  }): Promise<MastraFileEntry[]>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<MastraFileStat>;
}

export interface MastraOptions {
  id?: string;
  root?: string;
  readOnly?: boolean;
}

export interface MastraSource {
  readonly fs: FileSystem;
}

export interface MastraWriteOptions {
  recursive?: boolean;
  overwrite?: boolean;
  expectedMtime?: Date;
}

export function asMastraFilesystem({ fs }: MastraSource, errors: MastraErrors, { id, root, readOnly }?: MastraOptions): MastraFilesystem;

// Not exported; the declarations above refer to them.

type ErrorOfPath = new (path: string) => Error;

export {};
