/** The documents name only what exists: files, links with their anchors, npm scripts, tables; and tests run every block of code. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { codeBlocks } from "../e2e/document-blocks.ts";
import { root, sourceFiles } from "./imports.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
})
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(root, file)));

const testFiles = tracked.filter((file) => file.endsWith(".test.ts"));

const markdown = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const packageFolders = ["container", "migrations", ...readdirSync(join(root, "packages")).map((n) => `packages/${n}`)];
const packageReadmes = packageFolders.map((folder) => `${folder}/README.md`);
const guide = markdown("docs/guide");
const documents = [
  ...markdown("."),
  ...markdown("docs"),
  ...guide,
  ...markdown("docs/decisions"),
  ...packageReadmes,
  "examples/minimal/README.md",
  "test/bench/README.md",
];

describe.each(documents)("%s", (file) => {
  const text = read(file);
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  const folder = dirname(file);

  const codes = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

  it("names files that exist", () => {
    const paths = codes.filter((code) => !isTestRun(code)).flatMap(pathsIn);
    expect(paths.filter((path) => !exists(path, folder))).toEqual([]);
  });

  it("names tests to run that exist", () => {
    const filters = codes.filter(isTestRun).flatMap(pathsIn);
    expect(filters.filter((filter) => !testFiles.some((test) => test.includes(filter)))).toEqual([]);
  });

  it("links to files and headings that exist", () => {
    const links = [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : normalize(join(folder, path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("names scripts of package.json", () => {
    const manifest = file.startsWith("examples/minimal/") ? "examples/minimal/package.json" : "package.json";
    const { scripts } = JSON.parse(read(manifest)) as { scripts: object };
    const named = [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
    // `npm run dev` is a command inside a workspace in examples, not a script of ours.
    expect(named.filter((name) => name !== "dev" && !Object.keys(scripts).includes(name))).toEqual([]);
  });
});

describe("blocks of code", () => {
  const tests = sourceFiles("test").map(read).join("\n");

  it.each(["README.md", ...guide, ...packageReadmes])("%s: a test runs each block", (file) => {
    const unknown = codeBlocks(file)
      .map(({ info }) => info)
      .filter((info) => info !== "mermaid" && !isRun(info));
    expect(unknown).toEqual([]);
  });

  /** A block that is a file is imported by a test; any other is found by its info string. */
  function isRun(info: string): boolean {
    const file = / ((?:examples|test)\/\S+)$/.exec(info)?.[1];
    if (file === undefined) return / /.test(info) && tests.includes(`"${info}"`);
    // A configuration is run by the block of commands that starts its folder.
    if (file.endsWith(".toml")) return existsSync(join(root, file));
    return existsSync(join(root, file)) && tests.includes(`/${file.split("/").slice(-2).join("/")}"`);
  }
});

describe("sizes", () => {
  it("README.md is at most 9 KB", () => {
    expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(9 * 1024);
  });

  it.each(packageFolders)("%s has a README of 10 to 25 lines and a description", (folder) => {
    const lines = read(`${folder}/README.md`).trimEnd().split("\n").length;
    expect(lines).toBeGreaterThanOrEqual(10);
    expect(lines).toBeLessThanOrEqual(25);
    const { description = "" } = JSON.parse(read(`${folder}/package.json`)) as { description?: string };
    expect(description.length).toBeGreaterThan(10);
  });
});

it("docs/architecture.md lists every table of the schema", () => {
  const schema = [...read("packages/vfs/src/db/schema.ts").matchAll(/sqliteTable\(\s*"(\w+)"/g)].map(
    ([, name]) => name,
  );
  const listed = [...read("docs/architecture.md").matchAll(/`(ws_\w+)`/g)].map(([, name]) => name);
  expect(schema.length).toBeGreaterThan(20);
  expect(listed).toEqual(expect.arrayContaining(schema));
});

it("docs/guide/README.md and docs/decisions/README.md list every page beside them", () => {
  for (const folder of ["docs/guide", "docs/decisions"]) {
    const index = read(`${folder}/README.md`);
    const pages = readdirSync(join(root, folder)).filter((name) => name !== "README.md");
    expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
  }
});

/** Its paths are filters: any part of a test file's path. */
function isTestRun(code: string): boolean {
  return code.startsWith("npx vitest run ");
}

/** What looks like a path of this repository: it begins with one of its folders, or is the name of a source file. */
function pathsIn(code: string): string[] {
  if (code.startsWith("/") || code.includes("://") || /[<>{}$|]/.test(code)) return [];
  return code
    .split(/[\s,;:]+/)
    .filter(
      (word) =>
        /^(packages|test|scripts|docs|examples|container|migrations|skills|\.ci|\.github)\/[\w.*/-]+$/.test(word) ||
        /^[\w.*/-]+\.(ts|tsx|mjs|mts|sql)$/.test(word),
    );
}

/** As it stands, from the document's folder, or, for a name without a folder of ours, as the end of some file's path; `*` is a wildcard. */
function exists(path: string, folder: string): boolean {
  const bare = path.replace(/[./]+$/, "");
  if (existsSync(join(root, bare)) || existsSync(join(root, folder, bare))) return true;
  const pattern = new RegExp(
    `(^|/)${bare
      .split("*")
      .map((part) => part.replace(/[.+?^$()[\]\\]/g, "\\$&"))
      .join("[^/]*")}([/.]|$)`,
  );
  return tracked.some((file) => pattern.test(file));
}

/** GitHub's anchors of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
