/** The terminal: output while it comes, how a command ended, history, kill, and what it changed. */
import { describe, expect, it } from "vitest";
import { newWorkspace, openStudio, useBrowser } from "./studio.ts";

useBrowser();

describe("the terminal in the studio", () => {
  it("the terminal streams output, then shows exit code, working directory and changes", async () => {
    const api = await newWorkspace("terminal", { "in.txt": "x\n" });
    await using studio = await openStudio(`#/w/${api.name}/terminal`);
    const { page, shot } = studio;
    const line = page.getByLabel("Command", { exact: true });
    const screen = page.locator(".xterm-rows");
    await line.fill("echo first; sleep 2; echo second; echo made > out.txt");
    await line.press("Enter");
    await screen.getByText("first", { exact: true }).waitFor();
    expect(await screen.getByText("second", { exact: true }).count()).toBe(0);
    expect(await page.locator(".command-outcome").getByText("running").count()).toBe(1);
    await screen.getByText("second", { exact: true }).waitFor();
    await page
      .locator(".command-outcome")
      .getByText(/^exit 0 in /)
      .waitFor();
    await page.locator(".command-outcome").getByText("worker", { exact: true }).waitFor();
    expect(await api.read("out.txt")).toBe("made\n");
    await page.getByRole("button", { name: "1 file changed" }).click();
    await page.locator(".command-paths").getByText("out.txt").waitFor();
    await shot("terminal");
    await page.locator(".command-outcome").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => api.maybeRead("out.txt")).toBeNull();
  });

  it("the terminal shows colors, recalls input with the arrow key, and follows cd", async () => {
    const api = await newWorkspace("ansi", { "deep/er/file.txt": "x\n" });
    await using studio = await openStudio(`#/w/${api.name}/terminal`);
    const { page } = studio;
    const line = page.getByLabel("Command", { exact: true });
    await line.fill("printf '\\033[31mred\\033[0m\\n'");
    await line.press("Enter");
    await page.locator(".xterm-rows span.xterm-fg-1", { hasText: "red" }).waitFor();
    await line.fill("cd deep/er");
    await line.press("Enter");
    await page.locator(".command-where", { hasText: "deep/er $" }).waitFor();
    await line.fill("ls");
    await line.press("Enter");
    await page.locator(".xterm-rows").getByText("file.txt", { exact: true }).waitFor();
    await line.press("ArrowUp");
    await line.press("ArrowUp");
    expect(await line.inputValue()).toBe("cd deep/er");
  });

  it("a killed command is listed again after a reload", async () => {
    const api = await newWorkspace("kill");
    await using studio = await openStudio(`#/w/${api.name}/terminal`);
    const { page } = studio;
    const line = page.getByLabel("Command", { exact: true });
    await line.fill("echo started; sleep 60");
    await line.press("Enter");
    await page.locator(".xterm-rows").getByText("started", { exact: true }).waitFor();
    await page.reload();
    await page.locator(".xterm-rows").getByText("started", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Kill" }).click();
    await page
      .locator(".command-outcome")
      .getByText(/^killed/)
      .waitFor();
  });

  it("the terminal explains a port without a container, and an invalid port number", async () => {
    const api = await newWorkspace("ports");
    await using studio = await openStudio(`#/w/${api.name}/terminal`);
    const { page } = studio;
    const port = page.getByLabel("Port", { exact: true });
    await port.fill("70000");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("A number from 1 to 65535.").waitFor();
    await port.fill("3000");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("this workspace has no container").waitFor();
    await page.getByText("npx wrangler deploy --env containers").waitFor();
  });
});
