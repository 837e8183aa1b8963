/** Files as old as the index, and a command that brings other line endings: real git and ours leave the same files modified. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { expect, it } from "vitest";

const fs = createNodeFileSystem();
const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
const LONG_AGO = 1_600_000_000;

function git(cwd: string, ...argv: string[]): string {
  const env = { ...process.env, ...who, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", argv, { cwd, env, encoding: "utf8", stdio: "pipe" });
}

/** The other branch says that files are text, whose stored lines end with CRLF. */
function createRepository(): string {
  const root = mkdtempSync(join(tmpdir(), "racy-"));
  git(root, "init", "-q", "-b", "main");
  // Ours never compares the time of an inode's change, and no test can set it: a second may pass between two lines here.
  git(root, "config", "core.trustctime", "false");
  const files = { "x.txt": "a\r\nb\r\n", "y.txt": "c\r\n", k: "k\n" };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "one");
  git(root, "switch", "-q", "-c", "two");
  writeFileSync(join(root, ".gitattributes"), "*.txt text\n");
  git(root, "add", ".gitattributes");
  git(root, "commit", "-q", "-m", "two");
  git(root, "switch", "-q", "main");
  for (const name of Object.keys(files)) utimesSync(join(root, name), LONG_AGO, LONG_AGO);
  git(root, "update-index", "-q", "--refresh");
  return root;
}

const commands = [
  ["switch", "-q", "two"],
  ["checkout", "-q", "two"],
  ["merge", "-q", "two"],
  ["merge", "-q", "--no-ff", "-m", "x", "two"],
];

it.each(commands)(
  "files that share the index's second are not modified by new attributes: %s %s %s",
  async (...argv) => {
    for (const indexTime of [LONG_AGO, LONG_AGO + 1]) {
      const reported = [];
      for (const side of ["real", "ours"]) {
        const root = createRepository();
        // An edit that only the content shows must still be seen.
        writeFileSync(join(root, "k"), "K\n");
        utimesSync(join(root, "k"), LONG_AGO, LONG_AGO);
        utimesSync(join(root, ".git/index"), indexTime, indexTime);
        if (side === "real") git(root, ...argv);
        else {
          const host = { fs, now: () => Date.now() };
          expect(await runCli(host, { argv, cwd: root, env: { ...who, HOME: "/nonexistent" } })).toMatchObject({
            exitCode: 0,
          });
        }
        reported.push(git(root, "status", "--short"));
        rmSync(root, { recursive: true });
      }
      expect(reported[1]).toBe(reported[0]);
    }
  },
);
