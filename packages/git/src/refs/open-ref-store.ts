/** Opens the `RefStore` of a git directory, on its loose and packed refs. */

import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import type { GitLimits } from "../limits.ts";
import { lockFile } from "../lock-file.ts";
import type { Oid } from "../object/oid.ts";
import type { ObjectDatabase } from "../odb/object-database.ts";
import { decode } from "../text/bytes.ts";
import { commitRefTransaction, prepareRefs } from "./commit-ref-transaction.ts";
import { listReflogs, listRefs } from "./list-refs.ts";
import { openRefFiles, type RefFiles } from "./ref-files.ts";
import { isRefName, isSafeRefPath } from "./ref-name.ts";
import type { RefStore, RefValue } from "./ref-store.ts";
import { formatReflogEntry, parseReflog } from "./reflog-file.ts";
import { renameRef } from "./rename-ref.ts";
import { writeFileMakingRoom } from "./write-reflog.ts";

export interface RefContext {
  readonly host: GitHost;
  readonly limits: Pick<GitLimits, "symrefDepth">;
  readonly files: RefFiles;
  readonly config: Pick<GitConfig, "get">;
  readonly bare: boolean;
  /** Checks that a new value exists; absent only while a repository is created. */
  readonly odb?: Pick<ObjectDatabase, "header">;
  warn?(text: string): void;
  /** May reject the update. */
  beforeUpdate?(): Promise<void>;
  read(name: string): Promise<RefValue | null>;
  resolve(name: string): Promise<{ name: string; oid: Oid | null } | null>;
}

interface RefStoreOptions {
  readonly host: GitHost;
  readonly limits: Pick<GitLimits, "symrefDepth">;
  readonly gitDir: string;
  readonly commonDir?: string;
  readonly config: Pick<GitConfig, "get">;
  readonly bare: boolean;
  readonly odb?: Pick<ObjectDatabase, "header">;
  warn?(text: string): void;
  beforeUpdate?(): Promise<void>;
}

export function openRefStore(options: RefStoreOptions): RefStore {
  const { host, gitDir, commonDir = gitDir } = options;
  const files = openRefFiles(host.fs, gitDir, commonDir);
  const read = (name: string) => readRef(files, name);
  const resolve = (name: string) => resolveRef(files, name, options.limits.symrefDepth);
  const context: RefContext = { ...options, files, read, resolve };
  return {
    read,
    resolve,
    list: (prefix = "refs/", options) => listRefs(context, prefix, options),
    update: (updates, who) => commitRefTransaction(context, updates, who),
    prepare: (updates) => prepareRefs(context, updates),
    async reflog(name) {
      const [bytes] = await host.fs.readMany([files.logPath(name)]);
      return bytes ? parseReflog(decode(bytes)) : [];
    },
    async hasReflog(name) {
      const [bytes] = await host.fs.readMany([files.logPath(name)]);
      return bytes !== null && bytes !== undefined;
    },
    reflogNames: () => listReflogs(files),
    async writeReflog(name, entries) {
      const lock = await lockFile(host, files.path(name)).catch((error) => {
        if (!(error instanceof GitError)) throw error;
        throw new GitError(error.code, `cannot lock ref '${name}': ${error.message}`, { cause: error });
      });
      try {
        await writeFileMakingRoom(host.fs, files.logPath(name), entries.map(formatReflogEntry).join(""));
      } finally {
        await lock.release();
      }
    },
    rename: (from, to, who, message) => renameRef(context, { from, to, who, message }),
    copy: (from, to, who, message) => renameRef(context, { from, to, who, message, copy: true }),
  };
}

async function readRef(files: RefFiles, name: string): Promise<RefValue | null> {
  if (!isRefName(name, { oneLevel: true }) && !isSafeRefPath(name)) return null;
  const loose = await files.loose(name);
  if (loose === "broken") return null;
  if (loose) return loose;
  const packed = (await files.packed()).byName.get(name);
  return packed ? { kind: "oid", oid: packed.oid } : null;
}

async function resolveRef(files: RefFiles, name: string, depth: number) {
  let current = name;
  for (let step = 0; step <= depth; step++) {
    const value = await readRef(files, current);
    // The first must exist; the target of a symbolic ref may be unborn.
    if (value === null) return step === 0 ? null : { name: current, oid: null };
    if (value.kind === "oid") return { name: current, oid: value.oid };
    if (!isRefName(value.target, { oneLevel: true })) return null;
    current = value.target;
  }
  return null;
}
