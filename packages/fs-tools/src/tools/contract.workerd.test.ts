/** Contract rules without another test: edges of read, rules of text, text forms, odd inputs, and redaction. */
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace } from "../../test/in-workspace.ts";
import { SECRET_FILES } from "../paths/secret-files.ts";

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
    // A character across the edge of the examined bytes is not an error; a NUL behind the edge is not seen.
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

describe("odd inputs", () => {
  it("an error says its code once, and what to do", () =>
    inWorkspace(async ({ fs, toolset, refused }) => {
      await fs.symlink("loop", "/workspace/loop");
      expect((await toolset.handle("read", { path: "loop" })).content).toBe(
        "ELOOP: /workspace/loop leads in a circle of links.",
      );
      expect((await toolset.handle("grep", { pattern: "[", regex: true })).content).toBe(
        'INVALID_INPUT: bad pattern "[": unclosed character class (at character 1). Check the regular expression, or search for plain text.',
      );
      for (const [name, input] of [
        ["exec_output", { id: "nope" }],
        ["exec", { command: "x".repeat(2_000_000) }],
        ["read", { path: "\ud800" }],
      ] as const) {
        const { content } = await toolset.handle(name, input);
        expect(content.match(/\bE[A-Z]{3,}\b/g)?.length, content.slice(0, 200)).toBe(1);
      }
      expect(await refused("read", { path: "a/".repeat(200) })).toBe("ENOENT");
      expect(await refused("undo", { callId: "nope" })).toBe("UNDO_FAILED");
    }));

  it("an error says what to do next where the file system's own words would not", () =>
    inWorkspace(
      async ({ toolset, more, refused }) => {
        const reported = async (name: string, input: Answer) => (await toolset.handle(name, input)).content;
        const under = "ENOTDIR: A part of the way to /workspace/f/x is a file, not a directory; nothing was written.";
        for (const append of [false, true])
          expect(await reported("write", { path: "f/x", content: "y", append })).toBe(under);
        expect(await reported("changes", { since: "nope" })).toBe(
          "INVALID_INPUT: since is not a cursor of an earlier answer. Leave it out to start from the beginning, and look at the files themselves.",
        );
        expect(await refused("changes", { since: "000000000000.1" })).toBe("EGONE");
        expect(await reported("undo", { callId: "nope" })).not.toMatch(/, undo$/);
        // A proposal that could never be applied is refused when it is made.
        const proposing = await more({ mode: "propose" });
        expect((await proposing.handle("write", { path: "f/x", content: "y" })).content).toBe(under);
        await proposing.handle("write", { path: "new", content: "y" });
        expect(codeOf(await proposing.handle("write", { path: "new/x", content: "y" }))).toBe("ENOTDIR");
        expect((await proposing.proposals.apply()).paths).toEqual(["/workspace/new"]);
      },
      {},
      { f: "x" },
    ));

  it("a field named __proto__ is refused as any that is not there", () =>
    inWorkspace(async ({ toolset }) => {
      const given = JSON.parse('{"path":"x","__proto__":{"content":"y"}}');
      for (const tool of ["read", "write"]) {
        const { content } = await toolset.handle(tool, given);
        expect(content).toMatch(/there is no field __proto__|content: /);
      }
      expect(({} as Answer).content).toBeUndefined();
    }));

  it("a name with a line feed is one line of a tree and of a list", () =>
    inWorkspace(
      async ({ call, toolset }) => {
        expect((await call("tree", {})).tree).toBe('"a\\nb" (1 B)\nc (1 B)');
        expect((await toolset.handle("list", { format: "text" })).content.split("\n")).toHaveLength(3);
      },
      {},
      { "a\nb": "x", c: "x" },
    ));

  it("handle never throws, whatever it is given, and records the call", () =>
    inWorkspace(async ({ toolset }) => {
      const circle: Answer = { path: "a" };
      circle.self = circle;
      const thrower = () => {
        throw new Error("a trap");
      };
      const proxy = new Proxy({}, { ownKeys: thrower, get: thrower, has: thrower });
      const inputs = [
        { path: 1n },
        circle,
        {
          get path() {
            return thrower();
          },
        },
        proxy,
        Symbol("x"),
        () => 1,
        Number.NaN,
      ];
      for (const name of ["read", "apply_patch", "search_code", "bash", "memory", "none"])
        for (const input of inputs) expect([name, (await toolset.handle(name, input)).isError]).toEqual([name, true]);
      for (const name of [Symbol("x"), 7, null, undefined, {}, Object.create(null), "__proto__", "constructor"])
        expect(codeOf(await toolset.handle(name as string, {}))).toBe("UNKNOWN_TOOL");
      const log = await toolset.audit({ limit: 100 });
      expect(log).toHaveLength(6 * inputs.length + 8);
      expect(log.some(({ input }) => input.includes('"path":"1"'))).toBe(true);
    }));

  it("numbers and switches inside lists and objects are taken from strings too", () =>
    inWorkspace(
      async ({ toolset }) => {
        const view = { command: "view", path: "a", view_range: ["2", "2"] };
        expect((await toolset.handle("str_replace_based_edit_tool", view)).content).toContain("     2\ttwo");
        const action = { type: "exec", command: ["cat", "a"], timeout_ms: "30000", working_directory: "/workspace" };
        expect((await toolset.handle("shell", { action })).structured).toMatchObject({
          stdout: "one\ntwo\n",
          exit_code: 0,
        });
        expect(codeOf(await toolset.handle("shell", { action: { ...action, timeout_ms: "soon" } }))).toBe(
          "INVALID_INPUT",
        );
      },
      {},
      { a: "one\ntwo\n" },
    ));
});

describe("text forms", () => {
  it("read, list, tree, exists, info, glob and grep print as people read", () =>
    inWorkspace(
      async ({ fs, toolset }) => {
        const at = Date.UTC(2026, 10, 17, 12, 0, 5) / 1000;
        for (const path of ["a.txt", "src/b.ts", "src", "big"]) await fs.utimes(`/workspace/${path}`, at, at);
        await fs.symlink("a.txt", "/workspace/link");
        await fs.lutimes?.("/workspace/link", at, at);
        const text = async (name: string, input: Answer) =>
          (await toolset.handle(name, { ...input, format: "text" })).content;
        expect(await text("read", { path: "a.txt" })).toBe("one\ntwo\n");
        expect(await text("read", { path: "a.txt", limit: 1 })).toBe("one\n[more: read on with offset 2]");
        expect(await text("read", { path: "a.txt", maxBytes: 2 })).toBe("on\n[more: read on with byteOffset 2]");
        expect(await text("list", { pattern: "*[gtc]" })).toBe(
          [
            "/workspace:",
            "2026-11-17 12:00:05 UTC       8 B  a.txt",
            "2026-11-17 12:00:05 UTC    1.5 KB  big",
            "2026-11-17 12:00:05 UTC         -  src/",
          ].join("\n"),
        );
        expect(await text("tree", {})).toBe("a.txt (8 B)\nbig (1.5 KB)\nlink@\nsrc/\n  b.ts (2 B)");
        expect([await text("exists", { path: "src" }), await text("exists", { path: "x" })]).toEqual([
          "exists: directory",
          "does not exist",
        ]);
        expect(await text("info", { path: "big" })).toBe(
          [
            "/workspace/big",
            "type: file",
            "size: 1.5 KB (1536 bytes)",
            "modified: 2026-11-17 12:00:05 UTC",
            "permissions: -rw-r--r-- (0644)",
          ].join("\n"),
        );
        expect((await text("info", { path: "link" })).split("\n")[0]).toBe("/workspace/link -> a.txt");
        expect(await text("glob", { pattern: "**/*.{txt,ts}" })).toBe("/workspace/a.txt\n/workspace/src/b.ts");
        expect(await text("grep", { pattern: "o" })).toBe("/workspace/a.txt:1:one\n/workspace/a.txt:2:two");
      },
      {},
      { "a.txt": "one\ntwo\n", "src/b.ts": "b\n", big: "x".repeat(1536) },
    ));

  it("a text that was cut says how to go on", () =>
    inWorkspace(
      async ({ toolset }) => {
        for (const [name, input] of [
          ["glob", { pattern: "*" }],
          ["list", {}],
          ["tree", {}],
        ] as const)
          expect((await toolset.handle(name, { ...input, format: "text" })).content).toMatch(
            /\n\[more: cursor "[^"]*b"\]$/,
          );
      },
      { limits: { entries: 2 } },
      { a: "", b: "", c: "" },
    ));
});

it("read of control characters stays within twice its budget, by lines and by bytes, and following gives the whole", () =>
  inWorkspace(async ({ fs, call }) => {
    const text = `${"\x1b".repeat(100_000)}\n${"\x1b".repeat(200_000)}\n`;
    await fs.writeFile("/workspace/a.txt", text);
    for (const start of [{ offset: 1 }, { byteOffset: 0 }]) {
      let whole = "";
      let next: Answer | undefined = start;
      for (let i = 0; next !== undefined && i < 20; i++) {
        const { content, nextOffset, nextByteOffset, ...rest }: Answer = await call("read", { path: "a.txt", ...next });
        expect(JSON.stringify({ content, ...rest }).length).toBeLessThan(2 * 256 * 1024 + 1000);
        whole += content;
        next =
          nextOffset !== undefined
            ? { offset: nextOffset }
            : nextByteOffset !== undefined
              ? { byteOffset: nextByteOffset }
              : undefined;
      }
      expect(whole === text).toBe(true);
    }
  }));
