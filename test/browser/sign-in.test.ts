/** Sign-in: refused without a token or with a wrong one, let in with the right one, and what a token that may only read sees. */
import { describe, expect, inject, it } from "vitest";
import { openStudio, useBrowser } from "./studio.ts";

useBrowser();

const bearer = () => ({ Authorization: `Bearer ${inject("token")}` });

async function scopedToken(body: object): Promise<string> {
  const response = await fetch(`${inject("guarded")}/api/tokens`, {
    method: "POST",
    headers: { ...bearer(), "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { token: string }).token;
}

describe("signing in to the studio", () => {
  it("sign-in explains a wrong token and accepts the right one; signing out ends the session", async () => {
    const base = inject("guarded");
    await using studio = await openStudio("#/w/secret/files", { base });
    const { page, shot } = studio;
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    expect((await page.request.get(`${base}/api/w/secret/tree`)).status()).toBe(401);
    await page.getByLabel("Token").fill("not-the-token");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This token is not valid here.").waitFor();
    await shot("sign-in-refused");
    await page.getByLabel("Token").fill(inject("token"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("No files yet").waitFor();
    // The cookie is out of reach for scripts, and nothing else keeps the token.
    expect(
      await page.evaluate("document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"),
    ).not.toContain(inject("token"));
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await page.reload();
    await page.getByText("No files yet").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    expect((await page.request.get(`${base}/api/w/secret/tree`)).status()).toBe(401);
  });

  it("a read-only token gets a page without write actions", async () => {
    const base = inject("guarded");
    await fetch(`${base}/api/w/shown/files/a.txt`, { method: "PUT", headers: bearer(), body: "to be read" });
    const token = await scopedToken({ workspace: "shown", readOnly: true });
    await using studio = await openStudio("#/w/shown/files/a.txt", { base });
    const { page } = studio;
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".cm-content", { hasText: "to be read" }).waitFor();
    await page.getByText("read only", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "New file" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    await page.getByText("Live", { exact: true }).waitFor();
  });
});
