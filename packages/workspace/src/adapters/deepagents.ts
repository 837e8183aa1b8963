/**
 * A workspace as a backend of deepagents: `createDeepAgent({ backend: asDeepAgentsBackend(workspace), … })`. With a shell it is a
 * sandbox backend, and the agent has `execute`. Errors are returned as answers for the model, as deepagents expects; an edit never
 * overwrites a newer version.
 */
import type { Shell } from "@workspace/shell";
import type { FileRead, FileStat, SearchableFileSystem } from "@workspace/vfs";
import { BINARY, mediaType, textOfFile } from "./media-type.ts";

export interface DeepAgentsSource {
  readonly fs: SearchableFileSystem;
  /** Without it the agent has no `execute`. */
  readonly shell?: Shell;
}

export interface DeepAgentsOptions {
  /** Default "workspace". */
  id?: string;
  /** Where relative paths and commands start, and what "/" lists; default "/workspace". */
  root?: string;
}

interface FileInfo {
  path: string;
  is_dir: boolean;
  size: number;
  modified_at: string;
}

type Failed = { error: string };

/** `BackendProtocolV2` of deepagents. */
export interface DeepAgentsBackend {
  ls(path: string): Promise<{ files: FileInfo[] } | Failed>;
  read(filePath: string, offset?: number, limit?: number): Promise<DeepAgentsRead | Failed>;
  readRaw(
    filePath: string,
  ): Promise<
    { data: { content: string | Uint8Array; mimeType: string; created_at: string; modified_at: string } } | Failed
  >;
  write(filePath: string, content: string): Promise<{ path: string; filesUpdate: null } | Failed>;
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
  ): Promise<{ path: string; filesUpdate: null; occurrences: number } | Failed>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<{ matches: { path: string; line: number; text: string }[]; truncated: boolean } | Failed>;
  glob(pattern: string, path?: string): Promise<{ files: FileInfo[] } | Failed>;
  delete(filePath: string): Promise<{ path: string } | Failed>;
  uploadFiles(files: [string, Uint8Array][]): Promise<{ path: string; error: DeepAgentsFileError | null }[]>;
  downloadFiles(
    paths: string[],
  ): Promise<{ path: string; content: Uint8Array | null; error: DeepAgentsFileError | null }[]>;
}

/** `SandboxBackendProtocolV2` of deepagents. */
export interface DeepAgentsSandbox extends DeepAgentsBackend {
  readonly id: string;
  execute(command: string): Promise<{ output: string; exitCode: number | null; truncated: boolean }>;
}

export interface DeepAgentsRead {
  content: string | Uint8Array;
  mimeType: string;
  totalLines?: number;
  startLine?: number;
  endLine?: number;
  nextOffset?: number;
}

export type DeepAgentsFileError = "file_not_found" | "permission_denied" | "is_directory" | "invalid_path";

const FILE_ERRORS: Record<string, DeepAgentsFileError> = {
  ENOENT: "file_not_found",
  EACCES: "permission_denied",
  EISDIR: "is_directory",
};

export function asDeepAgentsBackend(
  workspace: DeepAgentsSource & { readonly shell: Shell },
  options?: DeepAgentsOptions,
): DeepAgentsSandbox;
export function asDeepAgentsBackend(workspace: DeepAgentsSource, options?: DeepAgentsOptions): DeepAgentsBackend;
export function asDeepAgentsBackend(
  workspace: DeepAgentsSource,
  { id = "workspace", root = "/workspace" }: DeepAgentsOptions = {},
): DeepAgentsBackend | DeepAgentsSandbox {
  const resolve = (path: string) => (path.startsWith("/") ? path : `${root}/${path}`);
  const files = deepAgentsFiles(workspace.fs, root, resolve);
  if (!("shell" in workspace)) return files;
  return {
    ...files,
    id,
    async execute(command) {
      const handle = await workspace.shell!.exec(command, { cwd: root, encoding: "utf8" });
      const { stdout, stderr, exitCode, truncated, reason } = await handle.result();
      const output = [stdout, stderr, exitCode === null ? (reason ?? "the command was lost") : ""];
      return { output: output.filter((part) => part !== "").join("\n"), exitCode, truncated };
    },
  };
}

function deepAgentsFiles(fs: SearchableFileSystem, root: string, resolve: (path: string) => string): DeepAgentsBackend {
  return {
    ls: (path) =>
      answered(async () => {
        const directory = resolve(path);
        const entries = await fs.scan(directory);
        return {
          files: entries.map(({ name, stat }) => infoOf(`${directory.replace(/\/$/, () => "")}/${name}`, stat)),
        };
      }),
    read: (filePath, offset = 0, limit = 500) =>
      answered(async () => readPage(filePath, await fs.read(resolve(filePath)), offset, limit)),
    readRaw: (filePath) =>
      answered(async () => {
        const file = await fs.read(resolve(filePath));
        const { content, mimeType } = contentOf(filePath, file.content);
        const { birthtime, mtime } = file.stat;
        return {
          data: { content, mimeType, created_at: birthtime.toISOString(), modified_at: mtime.toISOString() },
        };
      }),
    write: (filePath, content) =>
      answered(async () => {
        await fs.writeMany([{ path: resolve(filePath), content }]);
        return { path: filePath, filesUpdate: null };
      }),
    edit: (filePath, oldString, newString, replaceAll = false) =>
      answered(async () => {
        const { content, version } = await fs.read(resolve(filePath));
        const text = textOfFile(content);
        if (text === null) return { error: `'${filePath}' is not a text file` };
        const occurrences = oldString === "" ? 0 : text.split(oldString).length - 1;
        if (occurrences === 0) return { error: `String not found in file: '${oldString}'` };
        if (occurrences > 1 && !replaceAll)
          return {
            error: `'${oldString}' appears ${occurrences} times in '${filePath}'. Use replace_all, or give more context.`,
          };
        await fs.writeFile(
          resolve(filePath),
          text.replaceAll(oldString, () => newString),
          { ifVersion: version },
        );
        return { path: filePath, filesUpdate: null, occurrences };
      }),
    grep: (pattern, path, glob, maxCount) =>
      answered(async () => {
        const options = { include: glob ?? undefined, maxHits: maxCount ?? undefined, hidden: true };
        const { hits, truncated } = await fs.grep(pattern, resolve(path ?? root), options);
        return { matches: hits.map(({ path: found, line, text }) => ({ path: found, line, text })), truncated };
      }),
    glob: (pattern, path = root) =>
      answered(async () => {
        const found = await fs.find(resolve(path), { path: pattern.replace(/^\/+/, () => ""), type: "file" });
        return {
          files: found.map(({ path: file, size, mtimeMs }) => ({
            ...{ path: file, is_dir: false, size },
            modified_at: new Date(mtimeMs).toISOString(),
          })),
        };
      }),
    delete: (filePath) =>
      answered(async () => {
        await fs.rm(resolve(filePath), { recursive: true });
        return { path: filePath };
      }),
    uploadFiles: (entries) =>
      Promise.all(
        entries.map(async ([path, content]) => {
          const error = await fileError(fs.writeMany([{ path: resolve(path), content }]));
          return { path, error };
        }),
      ),
    downloadFiles: (paths) =>
      Promise.all(
        paths.map(async (path) => {
          let content: Uint8Array | null = null;
          const reading = fs.readFile(resolve(path)).then((bytes) => {
            content = bytes;
          });
          const error = await fileError(reading);
          return { path, content, error };
        }),
      ),
  };
}

function readPage(path: string, { content: bytes }: FileRead, offset: number, limit: number): DeepAgentsRead | Failed {
  const { content, mimeType } = contentOf(path, bytes);
  if (typeof content !== "string") return { content, mimeType };
  if (content === "") return { content: "System reminder: File exists but has empty contents", mimeType };
  const lines = content.split("\n");
  const totalLines = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (offset >= totalLines) return { error: `Line offset ${offset} exceeds file length (${totalLines} lines)` };
  const endLine = Math.min(offset + limit, totalLines);
  const page = { content: lines.slice(offset, offset + limit).join("\n"), mimeType, totalLines };
  return { ...page, startLine: offset + 1, endLine, ...(endLine < totalLines && { nextOffset: endLine }) };
}

function contentOf(path: string, bytes: Uint8Array): { content: string | Uint8Array; mimeType: string } {
  const media = mediaType(path);
  if (media !== null) return { content: bytes, mimeType: media };
  const text = textOfFile(bytes);
  return text === null ? { content: bytes, mimeType: BINARY } : { content: text, mimeType: "text/plain" };
}

function infoOf(path: string, stat: FileStat): FileInfo {
  const isDirectory = stat.isDirectory();
  return {
    path: isDirectory ? `${path}/` : path,
    is_dir: isDirectory,
    size: isDirectory ? 0 : stat.size,
    modified_at: stat.mtime.toISOString(),
  };
}

/** deepagents shows a backend's error to the model and does not catch exceptions. */
async function answered<T>(run: () => Promise<T | Failed>): Promise<T | Failed> {
  try {
    return await run();
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return { error: (error as Error).message };
    throw error;
  }
}

async function fileError(done: Promise<unknown>): Promise<DeepAgentsFileError | null> {
  try {
    await done;
    return null;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    return FILE_ERRORS[code] ?? "invalid_path";
  }
}
