/** A port of a real sandbox, opened from the terminal: on an address of its own, live, apart from the studio, and closed again. */
import { expect, inject, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

/** It serves the file beside it as it is at the time, and says who asked. */
const SERVER = `
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
const port = Number(process.argv[2]);
createServer((request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.setHeader("Set-Cookie", "planted=1; Domain=localhost");
  if (request.url === "/headers") return response.end(JSON.stringify(request.headers));
  response.end(readFileSync("index.html"));
}).listen(port, "127.0.0.1", () => console.log("serving " + port));
`;

it("the studio opens a command's port on its own host, shows edits there, and closes it", async () => {
  const base = inject("contained");
  const files = { "serve.mjs": SERVER, "index.html": "<h1>Hello from the sandbox</h1>" };
  const api = await newWorkspace("preview", files, base);
  await using studio = await openStudio(`#/w/${api.name}/terminal`, { base });
  const { page, shot } = studio;
  const port = await freePort();
  const line = page.getByLabel("Command", { exact: true });
  await line.fill(`${process.execPath} serve.mjs ${port}`);
  await line.press("Enter");
  await page.locator(".xterm-rows").getByText(`serving ${port}`).waitFor();
  await page.locator(".command-outcome").getByText("container", { exact: true }).waitFor();

  const opened = page.context().waitForEvent("page");
  await page.getByLabel("Port", { exact: true }).fill(String(port));
  await page.getByRole("button", { name: "Open" }).click();
  const preview = await opened;
  await preview.getByRole("heading", { name: "Hello from the sandbox" }).waitFor();
  const at = new URL(preview.url());
  expect([at.hostname.startsWith(`p${port}-`), at.hostname.endsWith(".localhost"), at.search]).toEqual([
    true,
    true,
    "",
  ]);
  await page.getByRole("link", { name: String(port), exact: true }).waitFor();
  await shot("preview-port");

  // What is ours does not reach the port, and the cookie that it sets for others is its own host's alone.
  await preview.goto(`${at.origin}/headers`);
  const headers = JSON.parse((await preview.textContent("body")) ?? "{}") as Record<string, string>;
  expect([headers.cookie, headers["x-workspace-gate"], headers.authorization]).toEqual([
    "planted=1",
    undefined,
    undefined,
  ]);
  const planted = (await page.context().cookies()).filter(({ name }) => name === "planted");
  expect(planted.map(({ domain }) => domain)).toEqual([at.hostname]);

  await api.write("index.html", "<h1>Edited in the workspace</h1>");
  await expect
    .poll(async () => {
      await preview.goto(at.origin);
      return preview.getByRole("heading").textContent();
    })
    .toBe("Edited in the workspace");

  await page.getByRole("button", { name: `Close port ${port}` }).click();
  await page.getByRole("link", { name: String(port), exact: true }).waitFor({ state: "detached" });
  expect((await preview.goto(at.origin))?.status()).toBe(404);
  await page.getByRole("button", { name: "Kill" }).click();
  await page
    .locator(".command-outcome")
    .getByText(/^killed/)
    .waitFor();
});

it("a port without a listener shows its error in the preview, not in the studio", async () => {
  const base = inject("contained");
  const [name] = (
    (await (await fetch(`${base}/api/workspaces`)).json()) as { workspaces: { name: string }[] }
  ).workspaces.map((one) => one.name);
  await using studio = await openStudio(`#/w/${name}/terminal`, { base });
  const { page } = studio;
  const opened = page.context().waitForEvent("page");
  await page.getByLabel("Port", { exact: true }).fill(String(await freePort()));
  await page.getByRole("button", { name: "Open" }).click();
  const preview = await opened;
  await expect.poll(() => preview.textContent("body")).toMatch(/listen|answer|port/i);
});
