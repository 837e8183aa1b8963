/**
 * A workspace as the file system of a Mastra workspace: `new Workspace({ filesystem: asMastraFilesystem(workspace, mastra) })`.
 * Mastra's tools distinguish a missing file from a failure by Mastra's own error classes, so the adapter takes them: `import * as
 * mastra from "@mastra/core/workspace"`.
 */
import type { FileStat, FileSystem, TextEncodingName, Version } from "@workspace/vfs";
import { BINARY, mediaType } from "./media-type.ts";

export interface MastraSource {
  readonly fs: FileSystem;
}

type ErrorOfPath = new (path: string) => Error;

/** The error classes of `@mastra/core/workspace` that a file system throws. */
export interface MastraErrors {
  FileNotFoundError: ErrorOfPath;
  DirectoryNotFoundError: ErrorOfPath;
  FileExistsError: ErrorOfPath;
  IsDirectoryError: ErrorOfPath;
  NotDirectoryError: ErrorOfPath;
  DirectoryNotEmptyError: ErrorOfPath;
  StaleFileError: new (path: string, expected: Date, actual: Date) => Error;
}

export interface MastraOptions {
  /** Default "workspace". */
  id?: string;
  /** Where relative paths start; default "/workspace". */
  root?: string;
  readOnly?: boolean;
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

export interface MastraFileEntry {
  name: string;
  type: "file" | "directory";
  size: number;
  isSymlink?: boolean;
  symlinkTarget?: string;
}

/** `WorkspaceFilesystem` of `@mastra/core/workspace`. */
export interface MastraFilesystem {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly readOnly: boolean;
  status: "ready";
  getInstructions(): string;
  realpath(path: string): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: a Buffer without an encoding, which a project without Node's types cannot name
  readFile(path: string, options?: { encoding?: any }): Promise<any>;
  writeFile(path: string, content: string | Uint8Array, options?: MastraWriteOptions): Promise<void>;
  appendFile(path: string, content: string | Uint8Array): Promise<void>;
  deleteFile(path: string, options?: { force?: boolean }): Promise<void>;
  copyFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>;
  moveFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>;
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  rmdir(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  readdir(
    path: string,
    options?: { recursive?: boolean; extension?: string | string[]; maxDepth?: number },
  ): Promise<MastraFileEntry[]>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<MastraFileStat>;
}

export interface MastraWriteOptions {
  recursive?: boolean;
  overwrite?: boolean;
  expectedMtime?: Date;
}

export function asMastraFilesystem(
  { fs }: MastraSource,
  errors: MastraErrors,
  { id = "workspace", root = "/workspace", readOnly = false }: MastraOptions = {},
): MastraFilesystem {
  const resolve = (path: string) => (path.startsWith("/") ? path : `${root}/${path.replace(/^\.\//, () => "")}`);
  const parentOf = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/";
  const makeParent = (path: string) => fs.mkdir(parentOf(path), { recursive: true });
  const of = translate(errors);

  /** The version that the file must still have: checked again in the transaction that writes. */
  const expectedVersion = async (
    path: string,
    given: string,
    expected: Date | undefined,
  ): Promise<Version | undefined> => {
    if (expected === undefined) return undefined;
    const stat = await fs.stat(path).catch(absent);
    if (stat === null) return undefined;
    if (stat.mtime.getTime() !== expected.getTime()) throw new errors.StaleFileError(given, expected, stat.mtime);
    return stat.version;
  };

  return {
    id,
    name: "Workspace",
    provider: "cloudflare-workspace",
    readOnly,
    status: "ready",
    getInstructions: () =>
      `Files are in ${root}; a relative path starts there. Every change is in the history and can be undone.`,
    realpath: (path) => of.file(path, fs.realpath(resolve(path))),
    async readFile(path, { encoding } = {}) {
      if (encoding) return of.file(path, fs.readFile(resolve(path), encoding as TextEncodingName));
      return asBuffer(await of.file(path, fs.readFile(resolve(path))));
    },
    async writeFile(path, content, { recursive = true, overwrite = true, expectedMtime } = {}) {
      const target = resolve(path);
      if (recursive) await of.file(path, makeParent(target));
      const version = await expectedVersion(target, path, expectedMtime);
      const writing = fs.writeFile(target, content, {
        flag: overwrite ? "w" : "wx",
        ...(version && { ifVersion: version }),
      });
      await of.directory(path, writing, async () => {
        const stat = await fs.stat(target);
        return new errors.StaleFileError(path, expectedMtime as Date, stat.mtime);
      });
    },
    async appendFile(path, content) {
      await of.file(path, makeParent(resolve(path)));
      await of.file(path, fs.appendFile(resolve(path), content));
    },
    deleteFile: async (path, { force = false } = {}) => {
      const stat = await fs.lstat(resolve(path)).catch(absent);
      if (stat === null && force) return;
      if (stat?.isDirectory()) throw new errors.IsDirectoryError(path);
      await of.file(path, fs.unlink(resolve(path)));
    },
    async copyFile(from, to, { overwrite = true } = {}) {
      await of.file(to, makeParent(resolve(to)));
      await of.file(from, fs.copyFile(resolve(from), resolve(to), { exclusive: !overwrite }), to);
    },
    async moveFile(from, to, { overwrite = true } = {}) {
      await of.file(to, makeParent(resolve(to)));
      if (!overwrite && (await fs.exists(resolve(to)))) throw new errors.FileExistsError(to);
      // Another writer may create it in the meantime.
      await of.file(from, fs.rename(resolve(from), resolve(to), overwrite ? {} : { ifTargetVersion: null }), to);
    },
    mkdir: async (path, { recursive = true } = {}) =>
      void (await of.directory(path, fs.mkdir(resolve(path), { recursive }))),
    async rmdir(path, { recursive = false, force = false } = {}) {
      const removing = recursive ? fs.rm(resolve(path), { recursive, force }) : fs.rmdir(resolve(path));
      await of.directory(path, force ? removing.catch(absent) : removing);
    },
    async readdir(path, { recursive = false, extension, maxDepth = Number.POSITIVE_INFINITY } = {}) {
      const endings = extension === undefined ? null : [extension].flat();
      const list = async (directory: string, prefix: string, depth: number): Promise<MastraFileEntry[]> => {
        const entries: MastraFileEntry[] = [];
        for (const { name, stat } of await of.directory(path, fs.scan(directory))) {
          const isDirectory = stat.isDirectory();
          const entry = {
            name: prefix + name,
            type: isDirectory ? "directory" : "file",
            size: isDirectory ? 0 : stat.size,
          } as const;
          const isLink = stat.isSymbolicLink();
          if (isDirectory || endings === null || endings.some((ending) => name.endsWith(ending)))
            entries.push(isLink ? { ...entry, ...(await linkOf(`${directory}/${name}`)) } : entry);
          if (isDirectory && recursive && depth < maxDepth)
            entries.push(...(await list(`${directory}/${name}`, `${prefix}${name}/`, depth + 1)));
        }
        return entries;
      };
      const linkOf = async (link: string) => {
        const target = await fs.stat(link).catch(absent);
        const type = target?.isDirectory() ? ("directory" as const) : ("file" as const);
        return { type, isSymlink: true, symlinkTarget: await fs.readlink(link) };
      };
      return list(resolve(path), "", 1);
    },
    exists: (path) => fs.exists(resolve(path)),
    stat: async (path) => statOf(resolve(path), await of.file(path, fs.stat(resolve(path)))),
  };
}

/** Runs a call and converts its error code to Mastra's class: for an expected file, or for a directory. */
function translate(errors: MastraErrors) {
  const run = async <T>(
    answer: Promise<T>,
    missing: () => Error,
    path: string,
    existing: string,
    stale?: () => Promise<Error>,
  ): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      switch ((error as { code?: string }).code) {
        case "ENOENT":
          throw missing();
        case "EEXIST":
          throw new errors.FileExistsError(existing);
        case "EISDIR":
          throw new errors.IsDirectoryError(path);
        case "ENOTDIR":
          throw new errors.NotDirectoryError(path);
        case "ENOTEMPTY":
          throw new errors.DirectoryNotEmptyError(path);
        case "ESTALE":
          throw stale === undefined ? new errors.FileExistsError(existing) : await stale();
        default:
          throw error;
      }
    }
  };
  return {
    file: <T>(path: string, answer: Promise<T>, existing = path) =>
      run(answer, () => new errors.FileNotFoundError(path), path, existing),
    directory: <T>(path: string, answer: Promise<T>, stale?: () => Promise<Error>) =>
      run(answer, () => new errors.DirectoryNotFoundError(path), path, path, stale),
  };
}

function absent(error: { code?: string }): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

function statOf(path: string, stat: FileStat): MastraFileStat {
  const isDirectory = stat.isDirectory();
  return {
    name: path.slice(path.lastIndexOf("/") + 1),
    path,
    type: isDirectory ? "directory" : "file",
    size: isDirectory ? 0 : stat.size,
    createdAt: stat.birthtime,
    modifiedAt: stat.mtime,
    ...(!isDirectory && { mimeType: mediaType(path) ?? BINARY }),
  };
}

/** Mastra's tools call Buffer's methods; every runtime that runs Mastra has it. */
function asBuffer(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    Buffer?: { from(bytes: ArrayBufferLike, at: number, length: number): Uint8Array };
  };
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}
