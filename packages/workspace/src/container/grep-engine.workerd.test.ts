/** Searches in the container: what they find there, and what happens when ripgrep does not answer. */

import { containerOn, DaemonFixture, run } from "@workspace/testing/daemon-fixture";
import { inObject } from "@workspace/testing/in-object";
import { createFileSystem } from "@workspace/vfs";
import { describe, expect, it } from "vitest";

describe("grep in a container", () => {
  it("finds what the workspace has in a directory of tools, and not what commands created there", () =>
    inObject(async ({ volume }) => {
      await using lab = await DaemonFixture.start();
      const fs = createFileSystem(volume);
      const container = containerOn(volume, lab);
      await fs.writeMany([
        { path: "/workspace/node_modules/m/held.js", content: "needle\n" },
        { path: "/workspace/src/target/a.ts", content: "needle\n" },
      ]);
      await run(container, "echo needle | tee node_modules/m/made.js src/target/made.ts");
      for (const engine of ["container", "local"] as const) {
        const { hits } = await fs.grep("needle", "/workspace", { engine });
        expect(
          hits.map(({ path }) => path),
          engine,
        ).toEqual(["/workspace/node_modules/m/held.js", "/workspace/src/target/a.ts"]);
      }
      container.link.close();
    }));

  it("falls back to the local engine when ripgrep is killed before its first hit, and is EAGAIN by choice", () =>
    inObject(async ({ volume }) => {
      await using lab = await DaemonFixture.start();
      const fs = createFileSystem(volume);
      const container = containerOn(volume, lab);
      await fs.writeMany([{ path: "/workspace/z/last.txt", content: "late\n" }]);
      // Many gigabytes to read, in the room of one file.
      await run(
        container,
        "mkdir -p node_modules/b && cd node_modules && yes abcdefgh | head -c 4000000 > b/0 && for i in $(seq 50); do ln b/0 b/$i; done && for i in $(seq 60); do cp -al b c$i; done",
      );
      const killed = async (pattern: string, engine: "auto" | "container") => {
        const requested = fs.grep(pattern, "/workspace", { engine, multiline: true });
        requested.catch(() => {});
        while ((await lab.kill("rg")) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        return requested;
      };
      await expect(killed("late", "container")).rejects.toMatchObject({
        code: "EAGAIN",
        message: expect.stringMatching(/ended before it had answered \(SIGKILL\); try again/),
      });
      const answer = await killed("late", "auto");
      expect([answer.engine, answer.hits.map(({ path }) => path)]).toEqual(["local", ["/workspace/z/last.txt"]]);
      await expect(fs.grep("(", "/workspace/z", { engine: "container", regex: true })).rejects.toMatchObject({
        code: "EINVAL",
      });
      container.link.close();
    }));
});
