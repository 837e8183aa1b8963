// Made by `npm run api:generate`. Do not edit it.

import {
  SearchableFileSystem,
  Shell,
} from "../index.d.ts";

export interface DeepAgentsBackend {
  ls(path: string): Promise<{
    files: FileInfo[];
  } | Failed>;
  read(filePath: string, offset?: number, limit?: number): Promise<DeepAgentsRead | Failed>;
  readRaw(filePath: string): Promise<{
    data: {
      content: string | Uint8Array;
      mimeType: string;
      created_at: string;
      modified_at: string;
    };
  } | Failed>;
  write(filePath: string, content: string): Promise<{
    path: string;
    filesUpdate: null;
  } | Failed>;
  edit(filePath: string, oldString: string, newString: string, replaceAll?: boolean): Promise<{
    path: string;
    filesUpdate: null;
    occurrences: number;
  } | Failed>;
  grep(pattern: string, path?: string | null, glob?: string | null, maxCount?: number | null): Promise<{
    matches: {
      path: string;
      line: number;
      text: string;
    }[];
    truncated: boolean;
  } | Failed>;
  glob(pattern: string, path?: string): Promise<{
    files: FileInfo[];
  } | Failed>;
  delete(filePath: string): Promise<{
    path: string;
  } | Failed>;
  uploadFiles(files: [string, Uint8Array][]): Promise<{
    path: string;
    error: DeepAgentsFileError | null;
  }[]>;
  downloadFiles(paths: string[]): Promise<{
    path: string;
    content: Uint8Array | null;
    error: DeepAgentsFileError | null;
  }[]>;
}

export type DeepAgentsFileError = "file_not_found" | "permission_denied" | "is_directory" | "invalid_path";

export interface DeepAgentsOptions {
  id?: string;
  root?: string;
}

export interface DeepAgentsRead {
  content: string | Uint8Array;
  mimeType: string;
  totalLines?: number;
  startLine?: number;
  endLine?: number;
  nextOffset?: number;
}

export interface DeepAgentsSandbox extends DeepAgentsBackend {
  readonly id: string;
  execute(command: string): Promise<{
    output: string;
    exitCode: number | null;
    truncated: boolean;
  }>;
}

export interface DeepAgentsSource {
  readonly fs: SearchableFileSystem;
  readonly shell?: Shell;
}

export function asDeepAgentsBackend(workspace: DeepAgentsSource & {
  readonly shell: Shell;
}, options?: DeepAgentsOptions): DeepAgentsSandbox;
function asDeepAgentsBackend(workspace: DeepAgentsSource, options?: DeepAgentsOptions): DeepAgentsBackend;

// Not exported; the declarations above refer to them.

type Failed = {
  error: string;
};

interface FileInfo {
  path: string;
  is_dir: boolean;
  size: number;
  modified_at: string;
}

export {};
