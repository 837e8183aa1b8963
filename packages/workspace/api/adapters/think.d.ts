// Made by `npm run api:generate`. Do not edit it.

import {
  Content,
  SearchableFileSystem,
  Shell,
} from "../index.d.ts";

export interface ThinkDirent {
  name: string;
  parentPath: string;
  size: number;
  mtime: number;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}

export type ThinkExecEvent = {
  name: "stdout" | "stderr";
  value: string;
} | {
  name: "exit";
  code: number;
};

export interface ThinkFilesystem {
  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ByteWindow & {
    encoding?: undefined;
  }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ByteWindow & {
    encoding: "utf8";
  }): Promise<string>;
  readFile(path: string, options: ByteWindow & {
    encoding?: "utf8";
  }): Promise<string | ReadableStream<Uint8Array>>;
  writeFile(path: string, content: Content, options?: {
    mode?: number;
    exclusive?: boolean;
  }): Promise<void>;
  mkdir(path: string, options?: {
    recursive?: boolean;
    mode?: number;
  }): Promise<void>;
  rm(path: string, options?: {
    recursive?: boolean;
    force?: boolean;
  }): Promise<void>;
  stat(path: string): Promise<ThinkStat>;
  readdir(path: string, options?: Page): Promise<ThinkDirent[]>;
  find(directory: string, pattern?: string, options?: Page & {
    exclude?: string[];
  }): Promise<{
    path: string;
    type: "file" | "dir";
  }[]>;
  grep(pattern: string, path: string, options?: Page & {
    ignoreCase?: boolean;
    regex?: boolean;
    context?: number;
    include?: string;
    exclude?: string[];
  }): Promise<ThinkGrepMatch[]>;
}

export interface ThinkGrepMatch {
  path: string;
  line: number;
  text: string;
  context?: {
    line: number;
    text: string;
    isMatch: boolean;
  }[];
}

export interface ThinkRuntime {
  exec(command: string, options: {
    cwd?: string;
    encoding: "utf8";
    backend?: string;
    env?: Record<string, string>;
  }): Promise<AsyncIterable<ThinkExecEvent> & {
    result(): Promise<{
      exitCode: number;
      stdout: string;
      stderr: string;
    }>;
    kill(): Promise<void>;
  }>;
  backends(): {
    id: string;
    protocol: "command";
    callable: false;
    description: string;
  }[];
}

export interface ThinkSource {
  readonly fs: SearchableFileSystem;
  readonly shell?: Shell;
}

export interface ThinkStat {
  name: string;
  inode: number;
  mode: number;
  mtime: number;
  size: number;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}

export interface ThinkWorkspace {
  readonly fs: ThinkFilesystem;
  readonly runtime?: ThinkRuntime;
}

export function asThinkWorkspace(workspace: ThinkSource): ThinkWorkspace;

// Not exported; the declarations above refer to them.

interface ByteWindow {
  byteOffset?: number;
  byteLength?: number;
}

interface Page {
  limit?: number;
  offset?: number;
}

export {};
