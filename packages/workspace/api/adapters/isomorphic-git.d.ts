// Made by `npm run api:generate`. Do not edit it.

import {
  FileSystem,
} from "../index.d.ts";

export interface IsomorphicGitFs {
  promises: Pick<FileSystem, Verbs>;
}

export function asIsomorphicGitFs(fs: Pick<FileSystem, Verbs>): IsomorphicGitFs;

// Not exported; the declarations above refer to them.

type Verbs = "readFile" | "writeFile" | "mkdir" | "rmdir" | "unlink" | "rm" | "stat" | "lstat" | "readdir" | "readlink" | "symlink" | "chmod";

export {};
