/** Sentences of the contract that no other test holds: edges of read, rules of text, what grep looks at, and what is kept secret. */
import { expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { SECRET_FILES } from "../files/access-rules.ts";

it("read counts lines from 1, takes 0 for 1 and for the most, and says how many there are past the end", () =>
  inWorkspace(
    async ({ call, refused, toolset }) => {
      const whole = await call("read", { path: "f" });
      expect(await call("read", { path: "f", offset: 0, limit: 0 })).toEqual(whole);
      expect(await call("read", { path: "f", offset: 1 })).toEqual(whole);
      expect(whole).toMatchObject({ startLine: 1, endLine: 3, totalLines: 3, truncated: false });
      expect(await call("read", { path: "f", offset: 3 })).toMatchObject({
        content: "c",
        endLine: 3,
        truncated: false,
      });
      const past = await toolset.handle("read", { path: "f", offset: 4 });
      expect(past.structured.error).toMatchObject({ code: "OUT_OF_RANGE", totalLines: 3 });
      expect(await call("read", { path: "empty" })).toMatchObject({ content: "", size: 0, totalLines: 0, endLine: 0 });
      expect(await call("read", { path: "empty", byteOffset: 0 })).toMatchObject({ content: "", truncated: false });
      expect(await refused("read", { path: "f", byteOffset: 5 })).toBe("OUT_OF_RANGE");
      expect(await refused("read", { path: "empty", offset: 2 })).toBe("OUT_OF_RANGE");
    },
    {},
    { f: "a\nb\nc", empty: "" },
  ));

it("read says by which rule a file is text", () =>
  inWorkspace(async ({ fs, call, toolset }) => {
    const write = (name: string, bytes: readonly number[]) => fs.writeFile(`/workspace/${name}`, new Uint8Array(bytes));
    const latin1 = [0x67, 0xfc, 0x6e, 10];
    await write("known.ts", latin1);
    await write("unknown.xyz", latin1);
    await write("nul.ts", [97, 0, 98]);
    await write("control", [97, 1, 98]);
    await write("escape", [27, 91, 51, 49, 109, 97]);
    // A character across the edge of what is looked at is no fault; a NUL behind it is not seen.
    await write("edge", [...Array(511).fill(97), 0xc3, 0xbc, 10]);
    await write("late.ts", [...Array(600).fill(97), 0]);
    expect(await call("read", { path: "known.ts" })).toMatchObject({ decidedBy: "extension", invalidBytes: true });
    expect((await call("read", { path: "escape" })).decidedBy).toBe("content");
    expect((await call("read", { path: "edge" })).decidedBy).toBe("content");
    expect((await call("read", { path: "late.ts" })).decidedBy).toBe("extension");
    for (const [path, rule] of [
      ["unknown.xyz", "encoding"],
      ["nul.ts", "nul"],
      ["control", "control"],
    ])
      expect((await toolset.handle("read", { path })).structured.error).toMatchObject({
        code: "BINARY_FILE",
        decidedBy: rule,
      });
  }));

it("grep leaves out hidden and ignored files unless it is asked, never looks into .git, and counts what it left out", () =>
  inWorkspace(
    async ({ call }) => {
      const paths = async (input: Answer) =>
        (await call("grep", { pattern: "needle", ...input })).hits.map(({ path }: Answer) => path.slice(11));
      expect(await paths({})).toEqual(["a"]);
      expect(await paths({ hidden: true })).toEqual([".hidden", "a"]);
      expect(await paths({ ignored: true })).toEqual(["a", "out/b"]);
      expect(await paths({ hidden: true, ignored: true })).toEqual([".hidden", "a", "out/b"]);
      expect((await call("grep", { pattern: "needle" })).filesIgnored).toBeGreaterThan(0);
      expect(await paths({ ignoreCase: true, pattern: "NEEDLE" })).toEqual(["a"]);
      expect(await paths({ pattern: "NEEDLE" })).toEqual([]);
      expect(await paths({ pattern: "n..dle" })).toEqual([]);
    },
    {},
    { a: "needle\n", ".hidden": "needle\n", "out/b": "needle\n", ".gitignore": "out/\n", ".git/x": "needle\n" },
  ));

it("the usual secrets are a list for hosts that want it, and an example of one is not secret", () =>
  inWorkspace(
    async ({ refused, call }) => {
      for (const path of [
        ".env",
        ".env.local",
        "deep/.env",
        "x.pem",
        "id_rsa",
        ".ssh/config",
        ".aws/credentials",
        ".npmrc",
      ])
        expect([path, await refused("read", { path })]).toEqual([path, "DENIED"]);
      for (const path of [".env.example", "environment.ts"]) await call("read", { path });
    },
    { deny: SECRET_FILES },
    Object.fromEntries(
      [".env", ".env.local", "deep/.env", "x.pem", "id_rsa", ".ssh/config", ".aws/credentials", ".npmrc"]
        .concat([".env.example", "environment.ts"])
        .map((path) => [path, "x"]),
    ),
  ));

it("exec stops what takes too long: 124, with what it printed until then", () =>
  inWorkspace(async ({ toolset, more }) => {
    // The shell is loaded when it is first used, and that is within the first command's time.
    unwrap(await toolset.handle("exec", { command: "true" }));
    const result = await toolset.handle("exec", { command: "echo before; sleep 30", timeoutMs: 1500 });
    expect([result.isError, result.structured]).toEqual([
      true,
      expect.objectContaining({ exitCode: 124, state: "timedout", stdout: "before\n" }),
    ]);
    const env = unwrap(await (await more({ exec: { env: { GIVEN: "1" } } })).handle("exec", { command: "env" })).stdout;
    expect(env).toContain("GIVEN=1");
    expect(env).not.toMatch(/TOKEN|SECRET/);
    expect(codeOf(await toolset.handle("exec_kill", { id: "none" }))).toBe("ENOENT");
  }));
