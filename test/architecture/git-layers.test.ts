/** The layers inside packages/git: a folder imports its own layer and the ones below, and no command runs another. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND_EXCEPTIONS, CONTRACTS, GIT_LAYERS, LAYER_EXCEPTIONS } from "./git-layers.ts";
import { type Import, importsOf, root, sourceFiles } from "./imports.ts";

const SRC = "packages/git/src/";

const files = sourceFiles("packages/git/src").filter((file) => !/\.test\.ts$/.test(file));
const imports = files.flatMap(importsOf).filter(({ target }) => target?.startsWith(SRC));

/** The folder as the table names it: `cli` by its second level, the files of `src` as contracts; null for the public index.ts. */
function folderOf(file: string): string | null {
  const [first = "", second = "", ...rest] = file.slice(SRC.length).split("/");
  if (second === "") return first === "index.ts" ? null : CONTRACTS;
  return first === "cli" && rest.length > 0 ? `cli/${second}` : first;
}

function layerOf(folder: string): number {
  return GIT_LAYERS.findIndex(({ folders }) => folders.includes(folder));
}

function mayImport(from: string, to: string, typeOnly: boolean): boolean {
  const layer = GIT_LAYERS[layerOf(from)];
  if (from === to || layer === undefined) return from === to;
  // Only `createGit`, which puts the typed methods beside the command line, needs them.
  if (to === "api") return from === "cli";
  if (layer.imports === undefined) return layerOf(to) >= 0 && layerOf(to) <= layerOf(from);
  return layer.imports.includes(to) || (typeOnly && layer.imports.includes(`type:${to}`));
}

const shown = ({ file, target }: Import, below: string) =>
  `${file.slice(below.length)} → ${(target as string).slice(below.length)}`;

describe("the layers of packages/git", () => {
  it("has every folder of packages/git/src in the table", () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== null));
    expect([...folders].sort()).toEqual(GIT_LAYERS.flatMap((layer) => layer.folders).sort());
  });

  it("lets a folder import its own layer and the layers below", () => {
    const wrong = imports
      .filter(({ file, target, typeOnly }) => {
        const from = folderOf(file);
        const to = folderOf(target as string);
        return from !== null && !(to !== null && mayImport(from, to, typeOnly));
      })
      .map((each) => shown(each, SRC));
    expect(wrong.sort()).toEqual([...LAYER_EXCEPTIONS].sort());
  });

  it("lets no command import another command", () => {
    const isCommand = (file: string) =>
      /^packages\/git\/src\/cli\/(commands|plumbing)\//.test(file) &&
      readFileSync(join(root, file), "utf8").includes("defineCommand(");
    const wrong = imports
      .filter(({ file, typeOnly }) => !typeOnly && file !== `${SRC}cli/registry.ts`)
      .filter(({ target }) => isCommand(target as string))
      .map((each) => shown(each, `${SRC}cli/`));
    expect(wrong.sort()).toEqual([...COMMAND_EXCEPTIONS].sort());
  });
});
