// Made by `npm run api:generate`. Do not edit it.

import {
  FileSystem,
  Shell,
} from "../index.d.ts";

export interface PiOperations {
  read: {
    readFile(path: string): Promise<PiBuffer>;
    access(path: string): Promise<void>;
    detectImageMimeType(path: string): Promise<string | null>;
    createReadStream(path: string, options?: {
      signal?: AbortSignal;
    }): AsyncIterable<Uint8Array>;
  };
  write: {
    writeFile(path: string, content: string): Promise<void>;
    mkdir(directory: string): Promise<void>;
  };
  edit: {
    readFile(path: string): Promise<PiBuffer>;
    writeFile(path: string, content: string): Promise<void>;
    access(path: string): Promise<void>;
  };
  bash: {
    exec(command: string, cwd: string, options: {
      onData(data: PiBuffer): void;
      signal?: AbortSignal;
      timeout?: number;
      env?: Record<string, string | undefined>;
    }): Promise<{
      exitCode: number | null;
    }>;
  };
  find: {
    exists(path: string): Promise<boolean>;
    glob(pattern: string, cwd: string, options: {
      ignore: string[];
      limit: number;
    }): Promise<string[]>;
  };
  ls: {
    exists(path: string): Promise<boolean>;
    stat(path: string): Promise<{
      isDirectory(): boolean;
    }>;
    readdir(path: string): Promise<string[]>;
  };
}

export interface PiSource {
  readonly fs: FileSystem;
  readonly shell: Shell;
}

export function asPiOperations({ fs, shell }: PiSource): PiOperations;

// Not exported; the declarations above refer to them.

type PiBuffer = any;

export {};
