/** The bytes of a workspace are hostile: nothing in them runs in the studio, and nothing in them makes it fetch from elsewhere. */
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

const MARKDOWN = `# Title
<script>window.__ran = "script"</script>
<img src="x" onerror="window.__ran = 'onerror'">
<img src="https://evil.example/track.png" alt="tracker">

![inside](picture.svg)

<svg onload="window.__ran = 'svg'"></svg>
<iframe srcdoc="<script>parent.__ran = 'frame'</script>"></iframe>
<form action="https://evil.example"><input name="token"><button>Go</button></form>
<a id="app" name="app" href="javascript:window.__ran='link'">a link</a>
<style>body { display: none }</style>

[relative](other.md) [away](https://evil.example/page)
`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="window.__ran='image'"><script>window.__ran = "image"</script><rect width="40" height="40" fill="red"/></svg>`;

describe("hostile files in the studio", () => {
  it("a Markdown preview runs nothing, submits nothing, fetches nothing from elsewhere, and shows pictures of the workspace", async () => {
    const api = await newWorkspace("hostile", { "evil.md": MARKDOWN, "picture.svg": SVG, "other.md": "the other one" });
    await using studio = await openStudio(`#/w/${api.name}/files/evil.md`);
    const { page } = studio;
    const outside: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(api.base) && !request.url().startsWith("blob:")) outside.push(request.url());
    });
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".markdown h1", { hasText: "Title" }).waitFor();
    await page.locator(".markdown img[src^='blob:']").waitFor();
    expect(
      await page.locator(".markdown :is(script, iframe, form, input, button, style, svg, [onerror], [style])").count(),
    ).toBe(0);
    expect(await page.locator(".markdown a[href^='javascript:']").count()).toBe(0);
    expect(await page.locator(".markdown a", { hasText: "away" }).getAttribute("rel")).toContain("noopener");
    await page.locator(".markdown a", { hasText: "relative" }).click();
    await page.locator(".cm-content", { hasText: "the other one" }).waitFor();
    expect(await page.evaluate("window.__ran")).toBeUndefined();
    expect(outside).toEqual([]);
  });

  it("an SVG is drawn and runs nothing, a broken image shows a message, and names are text", async () => {
    const name = "<img src=x onerror=window.__ran='name'>.txt";
    const api = await newWorkspace("svg", { "picture.svg": SVG, "broken.png": "not a picture" });
    await api.write(encodeURIComponent(name), "text");
    await using studio = await openStudio(`#/w/${api.name}/files/picture.svg`);
    const { page } = studio;
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("40 × 40").waitFor();
    await page.getByRole("treeitem", { name: "broken.png" }).click();
    await page.getByText("This image cannot be displayed").waitFor();
    await page.getByRole("treeitem", { name }).click();
    await page.getByRole("tab", { name }).waitFor();
    expect(await page.evaluate("window.__ran")).toBeUndefined();
  });
});
