/** Untracked and ignored paths in every mode, beside `git status`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchRepository } from "../../test/scratch-repository.ts";
import { parsePathspec } from "../pathspec/pathspec.ts";
import { collectStatus } from "../porcelain/status/collect-status.ts";

const files = [
  "tracked/a",
  "tracked/new",
  "tracked/x.o",
  "plain/deep/file",
  "plain/x.o",
  "only/ignored/x.o",
  "only/y.o",
  "ign/sub/f",
  "mixed/ign/f",
  "mixed/keep/k",
  "own/secret",
  "own/shown",
  "z.o",
];

it("collectStatus finds what git status finds", async () => {
  using repo = scratchRepository();
  repo.write(Object.fromEntries(files.map((path) => [path, "x\n"])));
  repo.write({ ".gitignore": "*.o\nign/\n!plain/x.o\n", "own/.gitignore": "secret\n" });
  mkdirSync(join(repo.path, "empty/deeper"), { recursive: true });
  repo.git("add", "tracked/a", ".gitignore");
  repo.git("init", "-q", "nested");
  repo.git("-C", "nested", "commit", "-q", "--allow-empty", "-m", "x");
  const opened = await repo.open();
  for (const untracked of ["normal", "all"] as const) {
    for (const ignored of ["no", "traditional", "matching"] as const) {
      for (const given of [
        [],
        ["plain"],
        ["plain/deep/file"],
        ["*.o"],
        [":!mixed"],
        ["mixed/keep", "only"],
        ["ign/*"],
        ["ign/sub"],
      ]) {
        const pathspec = parsePathspec(opened, given);
        const found = await collectStatus(opened, { untracked, ignored, pathspec, refresh: false });
        const flags = [`-u${untracked}`, ...(ignored === "no" ? [] : [`--ignored=${ignored}`])];
        const reported = repo.git("status", "--porcelain", "-z", ...flags, "--", ...given).split("\0");
        const of = (code: string) => reported.filter((line) => line.startsWith(code)).map((line) => line.slice(3));
        expect({ untracked, ignored, given, found: found.untracked }).toEqual({
          untracked,
          ignored,
          given,
          found: of("??"),
        });
        expect({ untracked, ignored, given, found: found.ignored }).toEqual({
          untracked,
          ignored,
          given,
          found: of("!!"),
        });
      }
    }
  }
});
