/** Typed results beside what real git says about the same repository, in its machine-readable formats. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { createGit, type Git } from "../cli/create-git.ts";

const ENV = {
  PATH: process.env.PATH ?? "",
  HOME: "/nowhere",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann Author",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Carl Committer",
  GIT_COMMITTER_EMAIL: "carl@example.com",
};
let folder = "";
let work = "";
let git: Git;
let seconds = 1_700_000_000;

function real(...argv: string[]): string {
  seconds += 60;
  const date = `${seconds} +0200`;
  const env = { ...ENV, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return execFileSync("git", argv, { cwd: work, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
const records = (text: string) => text.split("\0").filter((one) => one !== "");
const write = (path: string, content: string | Uint8Array) => writeFileSync(join(work, path), content);
const lines = (count: number, of = "line") => Array.from({ length: count }, (_, i) => `${of} ${i}\n`).join("");

/** Renames, modes, binary files, a conflict, an upstream, tags, untracked and ignored files. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "git-typed-"));
  work = join(folder, "origin");
  mkdirSync(work);
  real("init", "-q", "-b", "main");
  write("a.txt", lines(20));
  write("moved.txt", lines(30, "moved"));
  write("script", "#!/bin/sh\n");
  write("image", new Uint8Array([0, 1, 2, 3]));
  write("both", "base\n");
  write("gone", "gone\n");
  write("ümlaut name", "ü\n");
  write(".gitignore", "*.log\n");
  real("add", "-A");
  real("commit", "-qm", "First subject\n\nA body\nof two lines.");
  real("tag", "v1", "-a", "-m", "version one");
  work = join(folder, "work");
  execFileSync("git", ["clone", "-q", join(folder, "origin"), work], { env: ENV });
  real("switch", "-qc", "side");
  write("both", "side\n");
  real("commit", "-qam", "side");
  real("switch", "-q", "main");
  write("both", "main\n");
  write("a.txt", lines(10) + lines(3, "more"));
  real("commit", "-qam", "Second\nsubject in two lines");
  real("tag", "light");
  expect(() => real("merge", "side")).toThrow();
  renameSync(join(work, "moved.txt"), join(work, "renamed.txt"));
  real("add", "-A", "moved.txt", "renamed.txt");
  write("a.txt", `${lines(10)}edited\n`);
  write("image", new Uint8Array([0, 9, 2, 3, 4]));
  chmodSync(join(work, "script"), 0o755);
  rmSync(join(work, "gone"));
  write("new file", "new\n");
  write("x.log", "ignored\n");
  git = createGit({ fs: createNodeFileSystem(), now: () => seconds * 1000, cwd: work });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("status", () => {
  it("agrees with status --porcelain=v2", async () => {
    const report = await git.status({ ignored: true });
    const oid = (side: { oid: string } | null | undefined) => side?.oid ?? "0".repeat(40);
    const mode = (number: number | null | undefined) => (number ?? 0).toString(8).padStart(6, "0");
    const said = [
      `# branch.oid ${report.head}`,
      `# branch.head ${report.branch}`,
      `# branch.upstream ${report.tracking?.name}`,
      `# branch.ab +${report.tracking?.ahead} -${report.tracking?.behind}`,
      ...report.entries.flatMap(({ path, from, index, worktree, versions, stages, similarity }) => {
        const letters = index + worktree;
        if (index === "?" || index === "!") return [`${index} ${path}`];
        if (stages)
          return [
            `u ${letters} N... ${stages.map((one) => mode(one?.mode)).join(" ")} 100644 ${stages.map(oid).join(" ")} ${path}`,
          ];
        const modes = [versions?.head?.mode, versions?.index?.mode, versions?.worktreeMode].map(mode).join(" ");
        const fields = `${letters} N... ${modes} ${oid(versions?.head)} ${oid(versions?.index)}`;
        if (from === undefined) return [`1 ${fields} ${path}`];
        return [`2 ${fields} ${index}${similarity} ${path}`, from];
      }),
    ];
    expect(said).toEqual(
      records(real("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignored")),
    );
    expect(report).toMatchObject({ operation: "merge", clean: false, untracked: ["new file"], ignored: ["x.log"] });
  });
});

describe("log", () => {
  const FIELDS = ["%H", "%T", "%P", "%an", "%ae", "%at", "%cn", "%ct", "%D", "%s", "%B"];
  const requests = [
    [{}, []],
    [{ all: true, maxCount: 3 }, ["--all", "--max-count=3"]],
    [{ revisions: ["v1..main"], reverse: true }, ["--reverse", "v1..main"]],
    [{ paths: ["both"], all: true, skip: 1 }, ["--all", "--skip=1", "--", "both"]],
    [{ grep: "^sec", author: "ann@", revisions: ["main"] }, ["--grep=^sec", "--author=ann@", "main"]],
    [{ follow: true, paths: ["a.txt"], maxCount: 1 }, ["--follow", "--max-count=1", "--", "a.txt"]],
  ] as const;

  it.each(requests)("agrees with log --format for %j", async (options, argv) => {
    const said = (await git.log(options)).map((entry) =>
      [
        entry.oid,
        entry.tree,
        entry.parents.join(" "),
        entry.author.name,
        entry.author.email,
        entry.author.seconds,
        entry.committer.name,
        entry.committer.seconds,
        entry.refs.join(", "),
        entry.subject,
        entry.message,
      ].join("\0"),
    );
    const expected = real("log", "-z", `--format=${FIELDS.join("%x00")}`, ...argv);
    expect(said.map((one) => `${one}\0`).join("")).toBe(expected);
  });

  it("names decorations in full", async () => {
    const [entry] = await git.log();
    expect(entry?.decorations).toEqual([
      { name: "HEAD", kind: "HEAD" },
      { name: "refs/tags/light", kind: "tag" },
      { name: "refs/heads/main", kind: "branch" },
    ]);
  });
});

describe("diff", () => {
  const requests = [
    [{}, []],
    [{ from: "HEAD" }, ["HEAD"]],
    [{ cached: true }, ["--cached"]],
    [{ from: "v1", to: "side" }, ["v1", "side"]],
    [{ from: "v1...main" }, ["v1...main"]],
    [
      { from: "v1", to: "main", paths: ["a.txt"], context: 1, ignoreSpace: true },
      ["-U1", "-w", "v1", "main", "--", "a.txt"],
    ],
    [{ from: "v1:a.txt", to: "main:a.txt" }, ["v1:a.txt", "main:a.txt"]],
  ] as const;

  it.each(requests)("agrees with diff --raw, --numstat and the patch for %j", async (options, argv) => {
    const { files, patch } = await git.diff(options);
    const oid = (one: string | null) => one ?? "0".repeat(40);
    const mode = (number: number | null) => (number ?? 0).toString(8).padStart(6, "0");
    const raw = files.flatMap(({ path, from, status, similarity, modes, oids }) => [
      `:${mode(modes.from)} ${mode(modes.to)} ${oid(oids.from)} ${oid(oids.to)} ${status}${from ? String(similarity).padStart(3, "0") : ""}`,
      ...(from ? [from] : []),
      path,
    ]);
    const names = argv.filter((word) => word !== "-U1");
    // git hashes the file in the work tree for an unmerged path; we leave it to those who need it.
    const expected = real("diff", "--raw", "--no-abbrev", "-z", ...names);
    expect(raw).toEqual(records(expected.replace(/ [0-9a-f]{40} U/g, () => ` ${oid(null)} U`)));
    const counts = files.flatMap(({ path, from, added, deleted }) =>
      from ? [`${added}\t${deleted}\t`, from, path] : [`${added ?? "-"}\t${deleted ?? "-"}\t${path}`],
    );
    const isBlobs = "from" in options && options.from.includes(":");
    if (!isBlobs) expect(counts).toEqual(records(real("diff", "--numstat", "-z", ...names)));
    expect(patch).toBe(real("diff", ...argv));
  });
});

describe("refs", () => {
  it("agree with for-each-ref", async () => {
    const format = "%(refname) %(objectname) %(objecttype) %(*objectname) %(symref) %(upstream) %(HEAD)";
    const said = (await git.refs()).map(
      ({ name, oid, type, peeled = "", symref = "", upstream = "", current }) =>
        `${[name, oid, type, peeled, symref, upstream, current ? "*" : " "].join(" ")}\n`,
    );
    expect(said.join("")).toBe(real("for-each-ref", `--format=${format}`));
    expect((await git.refs({ prefix: "refs/tags/" })).map(({ name }) => name)).toEqual([
      "refs/tags/light",
      "refs/tags/v1",
    ]);
  });
});

describe("blame", () => {
  it("agrees with blame --line-porcelain", async () => {
    for (const revision of ["main", undefined]) {
      const said = (await git.blame({ path: "a.txt", ...(revision && { revision }) })).map((one) =>
        [one.oid, one.originalLine, one.line, one.author, one.email, one.boundary, one.path, one.text].join("|"),
      );
      const text = real("blame", "--line-porcelain", ...(revision ? [revision] : []), "--", "a.txt");
      const expected = text.split(/(?<=\n\t[^\n]*)\n/).flatMap((block) => {
        const [, oid, original, line] = /^([0-9a-f]{40}) (\d+) (\d+)/.exec(block) ?? [];
        if (oid === undefined) return [];
        const field = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(block)?.[1];
        const email = field("author-mail")?.slice(1, -1);
        const boundary = /^boundary$/m.test(block);
        return [
          [oid, original, line, field("author"), email, boundary, field("filename"), /\n\t(.*)$/.exec(block)?.[1]].join(
            "|",
          ),
        ];
      });
      expect(said).toEqual(expected);
    }
  });
});

describe("grep", () => {
  it.each([
    [{ pattern: "line 1" }, ["-e", "line 1"]],
    [{ pattern: "(edited|moved) ?1?", syntax: "extended" }, ["-E", "-e", "(edited|moved) ?1?"]],
    [
      { pattern: "LINE", ignoreCase: true, revision: "v1", paths: ["*.txt"] },
      ["-i", "-e", "LINE", "v1", "--", "*.txt"],
    ],
    [{ pattern: "nothing like it" }, ["-e", "nothing like it"]],
  ] as const)("agrees with grep -n --column for %j", async (options, argv) => {
    const said = (await git.grep(options)).map(
      ({ path, line, column, text }) => `${path}\0${line}\0${column}\0${text}\n`,
    );
    let expected = "";
    try {
      expected = real("grep", "-z", "-I", "-n", "--column", "--full-name", ...argv);
    } catch (error) {
      expect((error as { status: number }).status).toBe(1);
    }
    expect(said.join("")).toBe(expected.replaceAll(/^v1:/gm, ""));
  });
});
