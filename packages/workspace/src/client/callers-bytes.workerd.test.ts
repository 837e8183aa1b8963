/** Command input as a Node Buffer, pooled or large: it arrives whole, without neighboring bytes, and is not changed. */

import { env } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { getWorkspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";

const inputs = [
  Buffer.from("pooled"),
  Buffer.from("--a part--").subarray(2, 8),
  Buffer.alloc(100_000, "abc"),
  Buffer.alloc(3_000_001, "xyz"),
];

describe("a Buffer as input over RPC", () => {
  it("reaches a command of the shell, and stays as it was", async () => {
    using ws = getWorkspace(env.WORKSPACE, "buffer to the shell");
    for (const input of inputs) {
      const before = Buffer.from(input);
      const { exitCode } = await (await ws.shell.exec("cat > out", { stdin: input })).result();
      expect([exitCode, input.equals(before)]).toEqual([0, true]);
      expect(before.equals(await ws.fs.readFile("/workspace/out"))).toBe(true);
    }
  });

  it("reaches a command of git, and stays as it was", async () => {
    using ws = getWorkspace(env.WORKSPACE, "buffer to git");
    await ws.git.cli({ argv: ["init"] });
    for (const input of inputs) {
      const before = Buffer.from(input);
      const { exitCode, stdout } = await ws.git.cli({ argv: ["hash-object", "-w", "--stdin"], stdin: input });
      expect([exitCode, input.equals(before)]).toEqual([0, true]);
      const oid = new TextDecoder().decode(stdout).trim();
      const blob = await ws.git.cli({ argv: ["cat-file", "blob", oid] });
      expect(before.equals(blob.stdout)).toBe(true);
    }
  });
});
