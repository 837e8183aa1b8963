/** What `status` and `commit` cost in a Durable Object: statements counted, on 2 000 files in 200 directories. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { runCli } from "@workspace/git";
import { createFileSystem, type FileSystem, openVolume } from "@workspace/vfs";
import { expect, it } from "vitest";
import { type Cost, Counter } from "../support/workerd/counting-storage.ts";

const FILES = 2000;
const ROOT = "/workspace/repo";
const identity = { name: "A U Thor", email: "author@example.com" };

async function git(fs: FileSystem, ...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli({ fs, now: Date.now, identity }, { argv, cwd: ROOT });
  if (exitCode !== 0) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

interface Costs {
  clean: Cost;
  edited: Cost;
  committed: Cost;
}

function measure(): Promise<Costs> {
  return runInDurableObject(env.BARE.getByName("git-status"), async (_object, { storage }) => {
    const counter = new Counter(storage);
    const fs = createFileSystem(openVolume(storage), { actor: "test", callId: "call-1" });
    // Long ago, so that no entry is racy.
    const mtime = new Date(1_600_000_000_000);
    await fs.writeMany(
      Array.from({ length: FILES }, (_, i) => ({
        path: `${ROOT}/src/d${i % 200}/f${i}.ts`,
        content: `export const value${i} = ${i};\n`,
        mtime,
      })),
    );
    await git(fs, "init", "-q", "-b", "main");
    await git(fs, "add", ".");
    await git(fs, "commit", "-q", "-m", "one");
    const clean = await counter.of(async () => {
      expect(await git(fs, "status", "--porcelain")).toBe("");
    });
    await fs.writeMany([{ path: `${ROOT}/src/d7/f7.ts`, content: "edited\n", mtime }]);
    const edited = await counter.of(async () => {
      expect(await git(fs, "status", "--porcelain")).toBe(" M src/d7/f7.ts\n");
    });
    const committed = await counter.of(() => git(fs, "commit", "-q", "-a", "-m", "two"));
    return { clean, edited, committed };
  });
}

it("status reads no file that did not change, and commit writes one", async () => {
  const { clean, edited, committed } = await measure();
  // Refs, configuration, the index: nothing that grows with the files.
  expect(clean.statements).toBeLessThanOrEqual(12);
  expect(clean.rowsRead).toBeLessThanOrEqual(40);
  expect(clean.rowsWritten).toBe(0);
  expect(edited.statements).toBeLessThanOrEqual(12);
  expect(edited.rowsWritten).toBe(0);
  expect(committed.statements).toBeLessThanOrEqual(80);
  expect(committed.rowsWritten).toBeLessThanOrEqual(90);
});
