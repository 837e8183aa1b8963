import type { Workspace } from "@cloudflare/workspace";

/** Many files at once, a guarded write, part of a file, and what changed since a cursor. */
export async function editFiles({ fs }: Workspace): Promise<string[]> {
  await fs.writeMany([
    { path: "/workspace/src/a.ts", content: "export const a = 1;\n" },
    { path: "/workspace/src/b.ts", content: "export const b = 2;\n" },
  ]);
  const { cursor } = await fs.changes();

  const { version } = await fs.stat("/workspace/src/a.ts");
  await fs.writeFile("/workspace/src/a.ts", "export const a = 3;\n", { ifVersion: version });
  const stale = await fs.writeFile("/workspace/src/a.ts", "lost", { ifVersion: version }).catch((error) => error.code);

  const part = await fs.readRange("/workspace/src/a.ts", 17, 1);
  const { changes } = await fs.changes({ since: cursor });
  return [stale, new TextDecoder().decode(part), ...changes.map(({ op, path }) => `${op} ${path}`)];
}
