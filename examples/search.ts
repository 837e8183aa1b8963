import type { Workspace } from "@cloudflare/workspace";

/** Plain text by default, ripgrep's regular expressions with `regex: true`; find and glob by name. */
export async function search({ fs }: Workspace): Promise<string[]> {
  await fs.writeMany([
    { path: "/workspace/src/a.ts", content: "// TODO: name this\nexport const a = 1;\n" },
    { path: "/workspace/src/b.ts", content: "export const b = a * 2;\n" },
    { path: "/workspace/.gitignore", content: "dist/\n" },
    { path: "/workspace/dist/a.js", content: "// TODO: ignored\n" },
  ]);
  const { hits } = await fs.grep("TODO", "/workspace");
  const exported = await fs.grep("^export const (\\w+)", "/workspace", { regex: true, include: "*.ts", maxHits: 10 });
  return [
    ...hits.map(({ path, line, text }) => `${path}:${line}: ${text}`),
    `${exported.hits.length} exports, truncated: ${exported.truncated}`,
    ...(await fs.glob("src/*.ts")),
  ];
}
