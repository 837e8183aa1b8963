/** A browser on the studio, for one test file: pages, a workspace of its own to play in, screenshots, and what went wrong in the page. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { WorkspaceApi } from "./workspace-api.ts";

export const artifacts = join(import.meta.dirname, "artifacts");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

let browser: Browser;

/** Starts the browser before the file's tests and ends it after them. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (CHROMIUM === undefined) throw new Error("there is no Chromium: apt-get install -y chromium");
    mkdirSync(artifacts, { recursive: true });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  afterAll(() => browser.close());
}

/** A workspace that no other test has, with these files. */
export async function newWorkspace(
  label: string,
  files: Record<string, string> = {},
  base = inject("url"),
): Promise<WorkspaceApi> {
  const api = new WorkspaceApi(base, `${label}-${Date.now().toString(36)}`);
  await api.create();
  for (const [path, text] of Object.entries(files)) await api.write(path, text);
  return api;
}

export interface StudioPage extends AsyncDisposable {
  page: Page;
  /** What the page's own code threw; a test that expects none says so at its end. */
  errors: string[];
  shot: (name: string) => Promise<void>;
}

export async function openStudio(
  hash: string,
  options: BrowserContextOptions & { base?: string; before?: string } = {},
): Promise<StudioPage> {
  // `before` runs in the page before anything of its own.
  const { base = inject("url"), before, ...rest } = options;
  const context = await browser.newContext({ viewport: DESKTOP, colorScheme: "light", ...rest });
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${base}/${hash}`);
  return {
    page,
    errors,
    shot: async (name) => {
      await page.screenshot({ path: join(artifacts, `${name}.png`), animations: "disabled" });
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(errors).toEqual([]);
    },
  };
}
