/** Appends to reflogs: which refs get one, and removal of empty directories in the place of its file. */

import { parseBool } from "../config/config-value.ts";
import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { errnoText } from "../lock-file.ts";
import { encode } from "../text/bytes.ts";
import type { RefFiles } from "./ref-files.ts";
import type { ReflogEntry } from "./ref-store.ts";
import { formatReflogEntry } from "./reflog-file.ts";

interface LogContext {
  readonly files: RefFiles;
  readonly config: Pick<GitConfig, "get">;
  readonly bare: boolean;
}

/** An existing log is always written; these refs also get a new one. */
export async function appendReflog(
  context: LogContext,
  name: string,
  entry: ReflogEntry,
  force = false,
): Promise<void> {
  const { files } = context;
  const path = files.logPath(name);
  if (!force && !beginsLog(context, name) && !(await isFile(files.fs, path))) return;
  const line = encode(formatReflogEntry(entry));
  try {
    await files.fs.appendFile(path, line);
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "ENOENT") await files.fs.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    else if (code === "EISDIR") await removeEmptyDirectories(files.fs, path);
    else throw logError(path, error);
    await files.fs.appendFile(path, line).catch((again) => {
      throw logError(path, again);
    });
  }
}

function logError(path: string, cause: unknown): GitError {
  const text = errnoText((cause as { code?: string }).code);
  return new GitError("EEXIST", `unable to append to '${path}': ${text}`, { prefix: "error", cause });
}

/** core.logAllRefUpdates: unset is true in a repository with a work tree. */
function beginsLog({ config, bare }: LogContext, name: string): boolean {
  const setting = config.get("core.logallrefupdates");
  if (setting?.toLowerCase() === "always") return true;
  const on = setting === undefined ? !bare : parseBool(setting) === true;
  if (!on) return false;
  return name === "HEAD" || /^refs\/(heads|remotes|notes)\//.test(name);
}

async function isFile(fs: GitHost["fs"], path: string): Promise<boolean> {
  try {
    return (await fs.stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Writes a file, replacing an empty directory. */
export async function writeFileMakingRoom(fs: GitHost["fs"], path: string, content: string): Promise<void> {
  await removeEmptyDirectories(fs, path);
  await fs.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await fs.writeFile(path, content);
}

/** Removes remains of deleted refs; a directory with a file in it stays. True: the path is free or a file. */
export async function removeEmptyDirectories(fs: GitHost["fs"], path: string): Promise<boolean> {
  try {
    if (!(await fs.lstat(path)).isDirectory()) return true;
  } catch {
    return true;
  }
  const directories = [path];
  for (let i = 0; i < directories.length; i++) {
    for (const { name, stat } of await fs.scan(directories[i] as string)) {
      if (stat.type !== "dir") return false;
      directories.push(`${directories[i]}/${name}`);
    }
  }
  for (const directory of directories.reverse()) await fs.rmdir(directory);
  return true;
}

/** After a file is removed: removes its empty parent directories, but not `keep` itself nor those above. */
export async function removeEmptyParents(fs: GitHost["fs"], path: string, keep: string): Promise<void> {
  let directory = path.slice(0, path.lastIndexOf("/"));
  while (directory.length > keep.length && directory.startsWith(keep)) {
    try {
      await fs.rmdir(directory);
    } catch {
      return;
    }
    directory = directory.slice(0, directory.lastIndexOf("/"));
  }
}
