/** The layering of the design, held by a test: which package may import which, no cycles, no reaching across borders. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALLOWED, LEAVES, VFS_FOLDERS } from "./allowed-imports.ts";
import { findCycle, type Import, importsOf, root, sourceFiles } from "./imports.ts";

const FOR_ALL = LEAVES.map((name) => name.replace("packages/", "@workspace/"));
const IMPORT_NOTHING = [...LEAVES, "migrations"];

const packages = ["migrations", ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`)];
/** A test, or what only tests import. */
const isTest = (file: string) => /\.test\.ts$|^packages\/[^/]+\/test\//.test(file);
const VFS = "packages/vfs/src";
const folderOf = (file: string) => file.split("/")[3] ?? "";
const ours = (specifier: string) =>
  specifier.startsWith("@workspace/") ||
  specifier.startsWith("@cloudflare/workspace") ||
  specifier.startsWith("@cloudflare/fs-tools");
const importsOfPackage = (name: string): Import[] =>
  sourceFiles(name)
    .filter((file) => !isTest(file))
    .flatMap(importsOf);

describe("the architecture", () => {
  it.each(packages)("%s imports only what the design allows", (name) => {
    expect(Object.keys(ALLOWED)).toContain(name);
    const allowed = [...(ALLOWED[name] as string[]), ...(IMPORT_NOTHING.includes(name) ? [] : FOR_ALL)];
    const wrong = importsOfPackage(name)
      .filter(({ specifier }) => ours(specifier))
      .filter(({ specifier, typeOnly }) => {
        const base = specifier.split("/").slice(0, 2).join("/");
        return !allowed.includes(base) && !(typeOnly && allowed.includes(`type:${base}`));
      });
    expect(wrong).toEqual([]);
  });

  it.each(packages)("%s never reaches out of itself by a relative path", (name) => {
    const wrong = sourceFiles(name)
      .flatMap(importsOf)
      .filter(({ target }) => target !== undefined && !target.startsWith(`${name}/`))
      // A launcher of this checkout, which no package ships.
      .filter(({ file, target }) => !(/\/bin\/\w+\.mjs$/.test(file) && target === "scripts/run-bundled.mjs"));
    // The drizzle configuration names the schema by path, not by import.
    expect(wrong).toEqual([]);
  });

  it.each(packages)("%s has no cycle among its files", (name) => {
    const edges = new Map<string, Set<string>>();
    for (const { file, target, typeOnly } of importsOfPackage(name)) {
      if (target === undefined || typeOnly) continue;
      edges.set(file, (edges.get(file) ?? new Set()).add(target));
    }
    expect(findCycle(edges)).toBeNull();
  });

  it.each(packages)("%s has no cycle among its folders", (name) => {
    const folder = (file: string) => file.slice(0, file.lastIndexOf("/"));
    const edges = new Map<string, Set<string>>();
    for (const { file, target, typeOnly } of importsOfPackage(name)) {
      if (target === undefined || typeOnly) continue;
      const [from, to] = [folder(file), folder(target)];
      // Files at the top of a package, or of a folder with folders in it, are its vocabulary and its entry.
      if (from === to || `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
    expect(findCycle(edges)).toBeNull();
  });

  it.each(Object.keys(VFS_FOLDERS))("packages/vfs/src/%s imports only the folders that the design allows", (folder) => {
    const { imports = [] } = VFS_FOLDERS[folder] ?? {};
    const wrong = importsOfPackage(`${VFS}/${folder}`)
      .filter(({ target }) => target !== undefined && folderOf(target) !== folder)
      .filter(({ target = "", typeOnly }) => {
        const other = folderOf(target);
        return !imports.includes(other) && !(typeOnly && imports.includes(`type:${other}`));
      });
    expect(wrong).toEqual([]);
  });

  it("the table of vfs's folders names each of them, and no edge that nothing uses", () => {
    const files = sourceFiles(VFS).filter((file) => !isTest(file));
    const folders = new Set(files.filter((file) => file.split("/").length > 4).map(folderOf));
    expect(Object.keys(VFS_FOLDERS).toSorted()).toEqual([...folders].toSorted());
    for (const [folder, { imports }] of Object.entries(VFS_FOLDERS)) {
      const used = importsOfPackage(`${VFS}/${folder}`).map(({ target = "", typeOnly }) => {
        return { other: folderOf(target), typeOnly };
      });
      const unused = imports.filter((allowed) => {
        const other = allowed.replace("type:", "");
        return !used.some((one) => one.other === other && one.typeOnly === allowed.startsWith("type:"));
      });
      expect({ folder, unused }).toEqual({ folder, unused: [] });
    }
  });

  it("SQL stands only where the design puts it", () => {
    const wrong = sourceFiles("packages/vfs/src")
      .filter((file) => !isTest(file) && !/\/src\/(store|db|maintenance)\//.test(file))
      .filter((file) => /["'`](SELECT|INSERT|UPDATE|DELETE)\s/.test(readFileSync(join(root, file), "utf8")));
    expect(wrong).toEqual([]);
  });

  it("no file re-exports everything of another", () => {
    const wrong = sourceFiles("packages").filter((file) =>
      /^export \* from/m.test(readFileSync(join(root, file), "utf8")),
    );
    expect(wrong).toEqual([]);
  });
});
