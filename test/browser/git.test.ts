/** Git: from no repository to a commit, staged and unstaged differences side by side, branches, the log, push and pull. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startGitServer } from "../bench/harness/git/git-server.ts";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

/** Every text that the place of progress shows from now on, and is asked for once more each time. */
async function recordProgress(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.progressTexts = [];
    new MutationObserver(() => {
      const text = document.querySelector(".git-progress")?.textContent;
      if (text && window.progressTexts.at(-1) !== text) window.progressTexts.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
  return () => page.evaluate("window.progressTexts.splice(0)") as Promise<string[]>;
}

describe("git in the studio", () => {
  it("the git view creates a repository, stages single paths, and commits what is staged", async () => {
    const api = await newWorkspace("git", { "a.txt": "one\n", "b.txt": "two\n" });
    await using studio = await openStudio(`#/w/${api.name}/git`);
    const { page, shot } = studio;
    await page.getByText("No repository here yet").waitFor();
    await page.getByRole("button", { name: "Create a repository" }).click();
    await page.getByRole("button", { name: "Stage a.txt" }).click();
    await page.getByRole("region", { name: "Staged" }).getByText("a.txt").waitFor();
    await page.getByLabel("Commit message").fill("first: a file\n\nwith a body");
    await page.getByRole("button", { name: "Commit 1 path" }).click();
    await page.getByText("Committed to main.").waitFor();
    expect(await api.git("log", "--format=%s|%b")).toBe("first: a file|with a body\n\n");
    expect(await api.git("status", "--porcelain")).toBe("?? b.txt\n");
    await api.write("a.txt", "one changed\n");
    await page.getByRole("button", { name: "Stage a.txt" }).click();
    const staged = page.getByRole("region", { name: "Staged" }).getByRole("button", { name: "modified a.txt" });
    // Written before it is staged, it would be staged too.
    await staged.waitFor();
    await api.write("a.txt", "one changed twice\n");
    await staged.click();
    const sides = async () => page.locator(".cm-mergeView .cm-content").allTextContents();
    await expect.poll(sides).toEqual(["one", "one changed"]);
    await page.getByRole("region", { name: "Changes" }).getByRole("button", { name: "modified a.txt" }).click();
    await expect.poll(sides).toEqual(["one changed", "one changed twice"]);
    await shot("git-changes");
    await page.getByRole("button", { name: "Unstage a.txt" }).click();
    await page.getByRole("region", { name: "Staged" }).waitFor({ state: "detached" });
  });

  it("the git view creates and checks out branches, and draws the log as a graph", async () => {
    const api = await newWorkspace("branches", { "a.txt": "one\n" });
    await api.git("init", "--initial-branch=main");
    await api.git("add", ".");
    await api.git("commit", "-m", "base");
    await using studio = await openStudio(`#/w/${api.name}/git`);
    const { page, shot } = studio;
    await page.getByRole("button", { name: "main" }).click();
    await page.getByLabel("New branch from here").fill("topic");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Switched to topic.").waitFor();
    expect(await api.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("topic\n");
    await api.write("b.txt", "of the topic\n");
    await api.git("add", ".");
    await api.git("commit", "-m", "topic work");
    await page.getByRole("button", { name: "topic" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "main" }).click();
    await page.getByText("Switched to main.").waitFor();
    expect(await api.maybeRead("b.txt")).toBeNull();
    await api.write("c.txt", "of main\n");
    await api.git("add", ".");
    await api.git("commit", "-m", "main work");
    await api.git("merge", "--no-ff", "-m", "join them", "topic");
    await page.getByRole("tab", { name: "Log" }).click();
    await page.getByRole("button", { name: /join them/ }).waitFor();
    expect(await page.locator(".log-list .graph circle").count()).toBe(4);
    await page.getByRole("button", { name: /topic work/ }).click();
    await page.getByRole("button", { name: "added b.txt" }).waitFor();
    await page.locator(".diff .cm-content", { hasText: "of the topic" }).waitFor();
    await shot("git-log");
  });

  it("push and pull reach a real git server", async () => {
    const folder = mkdtempSync(join(tmpdir(), "workspace-remote-"));
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
    git("init", "--quiet", "--bare", "--initial-branch=main", "remote.git");
    git("-C", "remote.git", "config", "http.receivepack", "true");
    const server = await startGitServer(folder);
    try {
      const api = await newWorkspace("remote", { "a.txt": "one\n" });
      await api.git("init", "--initial-branch=main");
      await api.git("add", ".");
      await api.git("commit", "-m", "pushed from the studio");
      await api.git("remote", "add", "origin", `${server.origin}/remote.git`);
      await using studio = await openStudio(`#/w/${api.name}/git`);
      const { page } = studio;
      await page.getByText("no upstream").waitFor();
      const progress = await recordProgress(page);
      await page.getByRole("button", { name: "Push" }).click();
      await page.getByText("git push finished.").waitFor();
      expect((await progress()).join("\n")).toMatch(/^push…\n[\s\S]*\[new branch\]/);
      expect(git("-C", "remote.git", "log", "--format=%s", "main")).toBe("pushed from the studio\n");
      await page.getByText("origin/main ↑0 ↓0").waitFor();
      git("clone", "--quiet", "remote.git", "other");
      writeFileSync(join(folder, "other/b.txt"), "two\n");
      git("-C", "other", "add", ".");
      git("-C", "other", "-c", "user.name=o", "-c", "user.email=o@x", "commit", "--quiet", "-m", "by another");
      git("-C", "other", "push", "--quiet");
      await page.getByRole("button", { name: "Pull" }).click();
      await page.getByText("git pull finished.").waitFor();
      expect((await progress()).join("\n")).toMatch(/^pull…\n[\s\S]*(?:objects: 100%|Fast-forward|1 file changed)/);
      expect(await api.read("b.txt")).toBe("two\n");
      expect(await api.git("log", "-1", "--format=%s")).toBe("by another\n");
    } finally {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
