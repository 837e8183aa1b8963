/** A real repository in its own directory, for unit tests: real git runs in it, and our parts open it through `node:fs`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createNodeFileSystem } from "../node/node-file-system.ts";
import { openRepository } from "../src/repository/open-repository.ts";
import type { Repository } from "../src/repository.ts";

export type WorkRepository = Repository & { readonly workTree: string };

export interface ScratchRepository extends Disposable {
  readonly path: string;
  /** stdout as it is. */
  git(...args: string[]): string;
  gitBytes(args: readonly string[], stdin?: string | Uint8Array): Uint8Array;
  write(files: Record<string, string | Uint8Array>): void;
  open(cwd?: string): Promise<WorkRepository>;
}

export function scratchRepository(): ScratchRepository {
  const top = mkdtempSync(join(tmpdir(), "ws-git-"));
  const path = join(top, "repo");
  mkdirSync(path);
  mkdirSync(join(top, "home"));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: join(top, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    LC_ALL: "C",
    TZ: "UTC",
    GIT_AUTHOR_NAME: "A U Thor",
    GIT_AUTHOR_EMAIL: "author@example.com",
    GIT_COMMITTER_NAME: "C O Mitter",
    GIT_COMMITTER_EMAIL: "committer@example.com",
    GIT_AUTHOR_DATE: "1700000000 +0000",
    GIT_COMMITTER_DATE: "1700000000 +0000",
  };
  const gitBytes = (args: readonly string[], stdin?: string | Uint8Array): Uint8Array =>
    execFileSync("git", args as string[], { cwd: path, env, input: stdin, stdio: ["pipe", "pipe", "pipe"] });
  gitBytes(["init", "-q", "-b", "main"]);
  return {
    path,
    git: (...args) => gitBytes(args).toString(),
    gitBytes,
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    },
    open: (cwd = "") =>
      openRepository(
        { fs: createNodeFileSystem(), now: () => 1_700_000_000_000 },
        { cwd: join(path, cwd), env },
      ) as Promise<WorkRepository>,
    [Symbol.dispose]: () => rmSync(top, { recursive: true, force: true }),
  };
}
