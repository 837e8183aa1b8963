/**
 * A restricted view beside the whole volume: after each random change, by the host or by the view, the view shows exactly what the
 * policy leaves of the whole, and a change by the view has touched nothing hidden. PROPERTY_SEED repeats a run.
 */
import { env } from "cloudflare:workers";
import { compilePathPolicy, type PathPolicy } from "@workspace/glob";
import { inObject } from "@workspace/testing/in-object";
import { createFileSystem, fsck, restrictView, type SearchableFileSystem } from "@workspace/vfs";
import { expect, it } from "vitest";
import { Random } from "../support/random.ts";
import type { Settings } from "../support/workerd/node-services.ts";

const W = "/workspace";
const NAMES = ["a", "b", ".env", "keys", "prod", ".git", "in"];
const POLICIES: PathPolicy[] = [
  { deny: [".env", "keys/", "a/prod"] },
  { root: `${W}/in` },
  { root: `${W}/in`, deny: ["b/**/a", "!b/b/a"] },
  { deny: ["keys"], writable: ["a/", "in/"] },
];
const STEPS = 150;

const randomPath = (random: Random) => `${W}/${random.list(1, 3, () => random.pick(NAMES)).join("/")}`;

function change(fs: SearchableFileSystem, random: Random): Promise<unknown> {
  const [from, to, text] = [randomPath(random), randomPath(random), String(random.below(1000))];
  return random
    .pick<() => Promise<unknown>>([
      () => fs.writeFile(from, text),
      () => fs.writeMany([{ path: from, content: text }]),
      () => fs.mkdir(from, { recursive: true }),
      () => fs.rename(from, to),
      () => fs.cp(from, to, { recursive: true }),
      () => fs.rm(from, { recursive: true }),
      () => fs.symlink(to, from),
      () => fs.link(from, to),
      () => fs.chmod(from, 0o700),
      () => fs.truncate(from),
    ])()
    .catch(() => null);
}

async function entries(fs: SearchableFileSystem): Promise<Map<string, string>> {
  const found = await fs.find(W);
  return new Map(found.map(({ path, type, version }) => [path, type === "dir" ? type : `${type} ${version}`]));
}

for (const policy of POLICIES)
  it(`restrictView with ${JSON.stringify(policy)} shows everything except what the policy hides`, () =>
    inObject(async ({ volume }) => {
      const { seed } = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
      const random = new Random(seed);
      const rules = compilePathPolicy([policy], W);
      const isShown = (path: string) => ["visible", "above"].includes(rules.visibility(path));
      const all = createFileSystem(volume);
      const view = createFileSystem(restrictView(volume, policy));
      await all.mkdir(`${W}/in`);
      for (let step = 0; step < STEPS; step++) {
        const byHost = random.below(2) === 0;
        const before = await entries(all);
        await change(byHost ? all : view, random);
        const after = await entries(all);
        const shown = [...after].filter(([path]) => isShown(path));
        expect([seed, step, [...(await entries(view))]]).toEqual([seed, step, shown]);
        if (byHost) continue;
        const hidden = (tree: Map<string, string>) =>
          [...tree].filter(([path]) => rules.visibility(path) !== "visible");
        // A hard link that the host made between a visible and a hidden name is one file.
        const nlinks = async (path: string) => (await all.lstat(path).catch(() => null))?.nlink ?? 1;
        const changed = hidden(after).filter(([path, state]) => before.get(path) !== state);
        for (const [path] of changed)
          expect([seed, step, path, (await nlinks(path)) > 1]).toEqual([seed, step, path, true]);
        expect([...hidden(before)].filter(([path]) => !after.has(path))).toEqual([]);
      }
      expect((await fsck(volume)).problems).toEqual([]);
    }));
