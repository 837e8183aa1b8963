/**
 * The picture of README: the studio on a small project that an agent has worked on, files in front and what happened behind. It is an
 * artifact like the others; `PICTURE=docs npm run test:browser -- picture` puts it into docs/studio.png.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { artifacts, openStudio, useBrowser } from "./studio.ts";
import { WorkspaceApi } from "./workspace-api.ts";

useBrowser();

const root = join(import.meta.dirname, "../..");
const SIZE = { width: 1120, height: 700 };
const source = (path: string) => readFileSync(join(root, path), "utf8");

it("the studio on a project, with its files and its activity", async () => {
  const api = new WorkspaceApi(inject("url"), `atlas-${Date.now().toString(36)}`);
  await api.create();
  for (const path of ["README.md", "docs/performance.md", "package.json"]) await api.write(path, source(path));
  for (const name of ["notices", "route", "session", "theme"])
    await api.write(`src/${name}.ts`, source(`packages/studio/src/state/${name}.ts`));
  await api.git("init", "-q", "--initial-branch=main");
  await api.git("add", ".");
  await api.git("commit", "-qm", "the first files");
  const agent = "coder";
  await api.tool(
    "write",
    { path: "notes/plan.md", content: "# Plan\n\n- keep links short\n- test the back button\n" },
    agent,
  );
  await api.tool("exec", { command: "grep -rn hash src | head -3; wc -l src/*.ts > notes/sizes.txt" }, agent);

  await using files = await openStudio(`#/w/${api.name}/files/README.md`, { viewport: SIZE });
  await files.page.getByRole("treeitem", { name: "src", exact: true }).click();
  await files.page.getByRole("treeitem", { name: "route.ts", exact: true }).click();
  await files.page.locator(".cm-content", { hasText: "VIEWS" }).waitFor();
  await using activity = await openStudio(`#/w/${api.name}/activity`, { viewport: SIZE, colorScheme: "dark" });
  const shown = activity.page.locator(".moment-what", { hasText: "plan.md" }).first();
  await shown.click();
  await activity.page.locator(".patch-added").first().waitFor();
  const icons = activity.page.locator(".moment-icon svg");
  for (const icon of await icons.all()) {
    const [inner, outer] = [await icon.boundingBox(), await icon.locator("..").boundingBox()];
    if (inner === null || outer === null) continue;
    // In the middle of its circle.
    expect(Math.abs(inner.x + inner.width / 2 - outer.x - outer.width / 2)).toBeLessThan(1.5);
  }
  const [front, behind] = [await files.page.screenshot(), await activity.page.screenshot()];
  const image = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
  const page = await files.page.context().newPage();
  await page.setViewportSize({ width: 1480, height: 920 });
  await page.setContent(`<style>
    body { margin: 0; background: linear-gradient(135deg, #f3ece4, #e6dfe9); }
    img { position: absolute; width: 1120px; border-radius: 12px; box-shadow: 0 18px 50px #0005; }
  </style><img src="${image(behind)}" style="right: 30px; bottom: 30px"><img src="${image(front)}" style="left: 30px; top: 30px; clip-path: inset(0 0 0 0 round 12px)">`);
  await page.locator("img").last().waitFor();
  const path = process.env.PICTURE === "docs" ? join(root, "docs/studio.png") : join(artifacts, "studio.png");
  await page.screenshot({ path });
});
