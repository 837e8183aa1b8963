import { Workspace as Core } from "@cloudflare/workspace/core";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { type Answer, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

const KIB = 1024;

/** Follows a cursor to the end. */
async function pages(
  first: (cursor?: string) => Promise<Answer>,
  take: (answer: Answer) => string[],
): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 20; page++) {
    const answer = await first(cursor);
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(300 * KIB);
    all.push(...take(answer));
    if (!answer.truncated) return all;
    expect(answer.cursor).not.toBe(cursor);
    cursor = answer.cursor as string;
  }
  throw new Error("the pages do not end");
}

describe("budgets at n and n + 1", () => {
  it.each([
    [50, 50],
    [51, 50],
  ])("grep gives %i lines of context as %i", (requested, given) =>
    inWorkspace(async ({ fs, call }) => {
      await fs.writeFile("/workspace/a", `${"x\n".repeat(60)}hit\n${"x\n".repeat(60)}`);
      const [hit] = (await call("grep", { pattern: "hit", contextLines: requested })).hits;
      expect([hit.before.length, hit.after.length]).toEqual([given, given]);
    }),
  );

  it("grep that is cut by bytes goes on from a cursor, and nothing is passed over", () =>
    inWorkspace(
      async ({ fs, toolset }) => {
        const names = Array.from({ length: 30 }, (_, i) => `f${String(i).padStart(2, "0")}`);
        await fs.writeMany(names.map((name) => ({ path: `/workspace/${name}`, content: "hit one\nhit two\n" })));
        const found: string[] = [];
        let cursor: string | undefined;
        for (let page = 0; page < 50; page++) {
          const input = { pattern: "hit", ...(cursor === undefined ? {} : { cursor }) };
          const { hits, ...rest } = (await toolset.handle("grep", input)).structured as Answer;
          expect(JSON.stringify(hits).length).toBeLessThanOrEqual(450);
          found.push(...hits.map(({ path, line }: Answer) => `${path.slice(11)}:${line}`));
          if (!rest.truncated) break;
          expect(rest.truncatedBy).toBe("bytes");
          cursor = rest.cursor;
        }
        expect(found).toEqual(names.filter((name) => name !== "f07").flatMap((name) => [`${name}:1`, `${name}:2`]));
      },
      { limits: { answerBytes: 400 }, deny: ["/f07"] },
    ));

  it.each([
    [2000, false],
    [2001, true],
  ])("read of %i lines: truncated is %s, and following gives the whole", (count, truncated) =>
    inWorkspace(async ({ fs, call }) => {
      const text = Array.from({ length: count }, (_, i) => `line ${i}\n`).join("");
      await fs.writeFile("/workspace/a", text);
      const first = await call("read", { path: "a" });
      expect([first.truncated, first.endLine]).toEqual([truncated, 2000]);
      const rest = truncated
        ? await call("read", { path: "a", offset: first.nextOffset, limit: 99_999 })
        : { content: "" };
      expect(first.content + rest.content).toBe(text);
    }),
  );

  it.each([
    [256 * KIB, false],
    [256 * KIB + 1, true],
  ])("read of %i bytes in one line: truncated is %s", (size, truncated) =>
    inWorkspace(async ({ fs, call }) => {
      const text = "é".repeat(Math.floor(size / 2)) + (size % 2 ? "x" : "");
      await fs.writeFile("/workspace/a.txt", text);
      const first = await call("read", { path: "a.txt" });
      expect(first.truncated).toBe(truncated);
      let whole = first.content;
      let next = first.nextByteOffset;
      while (next !== undefined) {
        const more = await call("read", { path: "a.txt", byteOffset: next });
        whole += more.content;
        next = more.nextByteOffset;
      }
      expect(whole === text).toBe(true);
    }),
  );

  it("read always gets further, whatever the budget, and never splits a character", () =>
    inWorkspace(async ({ fs, call }) => {
      const text = "aé😀\n".repeat(5);
      await fs.writeFile("/workspace/a", text);
      for (const maxBytes of [1, 2, 3, 5, 7]) {
        let whole = "";
        let at: number | undefined = 0;
        for (let i = 0; at !== undefined && i < 100; i++) {
          const part: Answer = await call("read", { path: "a", byteOffset: at, maxBytes });
          whole += part.content;
          at = part.nextByteOffset;
        }
        expect(whole).toBe(text);
      }
    }));

  it.each([
    [2 * 1024 * KIB, true],
    [2 * 1024 * KIB + 1, false],
  ])("write takes %i bytes: %s", (size, fits) =>
    inWorkspace(async ({ toolset, fs }) => {
      const result = await toolset.handle("write", { path: "a", content: "x".repeat(size) });
      expect([result.isError ?? false, await fs.exists("/workspace/a")]).toEqual([!fits, fits]);
      if (!fits) expect(result.content).toContain("edit tool");
      await fs.writeFile("/workspace/b", "y".repeat(size));
      const edit = await toolset.handle("edit", { path: "b", oldString: "y".repeat(size), newString: "z" });
      expect(edit.isError ?? false).toBe(!fits);
    }),
  );

  it.each([
    [200, false],
    [201, true],
  ])("grep gives 200 hits and says when there are more: %i", (count, truncated) =>
    inWorkspace(async ({ fs, call }) => {
      await fs.writeFile("/workspace/a", "hit\n".repeat(count));
      const answer = await call("grep", { pattern: "hit" });
      expect([answer.hits.length, answer.truncated, answer.truncatedBy]).toEqual([
        200,
        truncated,
        truncated ? "hits" : undefined,
      ]);
      if (truncated) expect((await call("grep", { pattern: "hit", cursor: answer.cursor })).hits.length).toBe(1);
    }),
  );

  it.each([
    [KIB, undefined],
    [KIB + 1, true],
  ])("grep cuts a line of %i bytes: %s", (size, cut) =>
    inWorkspace(async ({ fs, call }) => {
      await fs.writeFile("/workspace/a", `hit${"x".repeat(size - 3)}\n`);
      const [hit] = (await call("grep", { pattern: "hit" })).hits;
      expect([hit.text.length, hit.cut]).toEqual([KIB, cut]);
    }),
  );

  it.each([1000, 1001, 2500])("list, find, glob and tree give 1000 of %i entries and a cursor for the rest", (count) =>
    inWorkspace(async ({ fs, call }) => {
      const names = Array.from({ length: count }, (_, i) => `d${i % 3}/f${String(i).padStart(5, "0")}`);
      await fs.writeMany(names.map((name) => ({ path: `/workspace/x/${name}`, content: "" })));
      const sorted = [...names].sort();
      const files = (found: string[]) =>
        found.filter((name) => /f\d{5}/.test(name)).map((name) => name.replace("/workspace/x/", ""));
      const cursorOf = (cursor?: string) => (cursor === undefined ? {} : { cursor });
      const listed = await pages(
        (cursor) => call("list", { path: "x", recursive: true, ...cursorOf(cursor) }),
        ({ entries }) => entries.map(({ name }: Answer) => name),
      );
      expect(files(listed)).toEqual(sorted);
      expect(
        files(
          await pages(
            (cursor) => call("glob", { pattern: "x/**/*", ...cursorOf(cursor) }),
            (answer) => answer.files,
          ),
        ),
      ).toEqual(sorted);
      expect(
        files(
          await pages(
            (cursor) => call("find", { path: "x", type: "file", ...cursorOf(cursor) }),
            ({ entries }) => entries.map(({ path }: Answer) => path),
          ),
        ),
      ).toEqual(sorted);
      const tree = await pages(
        (cursor) => call("tree", { path: "x", ...cursorOf(cursor) }),
        (answer) => answer.tree.split("\n"),
      );
      expect(tree.filter((line) => line.includes("(0 B)")).length).toBe(count);
      const first = await call("glob", { pattern: "x/**/*" });
      expect([first.files.length, first.truncated]).toEqual([1000, count > 1000]);
    }),
  );

  it("find goes on behind a cursor in the order of its walk, which is not that of the bytes", () =>
    inWorkspace(
      async ({ call, more, fs }) => {
        const names = ["a-b", "a.c/x", "a/b", "a/c/d", "a0", "\u{1f600}", "\uffff"];
        await fs.writeMany(names.map((name) => ({ path: `/workspace/x/${name}`, content: "" })));
        const found = async (find: typeof call) =>
          pages(
            (cursor) => find("find", { path: "x", ...(cursor === undefined ? {} : { cursor }) }),
            ({ entries }) => entries.map(({ path }: Answer) => path.slice("/workspace/x/".length)),
          );
        const walked = ["a", "a/b", "a/c", "a/c/d", "a-b", "a.c", "a.c/x", "a0", "\uffff", "\u{1f600}"];
        expect(await found(call)).toEqual(walked);
        const proposing = await more({ mode: "propose" });
        const propose = async (name: string, input: Record<string, unknown>) =>
          unwrap(await proposing.handle(name, input));
        await propose("write", { path: "x/a/b2", content: "" });
        expect(await found(propose)).toEqual(walked.toSpliced(2, 0, "a/b2"));
      },
      { limits: { entries: 1 } },
    ));

  it.each([
    [3 * 1024 * KIB, true],
    [3 * 1024 * KIB + 1, false],
  ])("read hands over an image of %i bytes: %s", (size, fits) =>
    inWorkspace(async ({ fs, toolset }) => {
      const image = new Uint8Array(size);
      image.set([0x89, 0x50, 0x4e, 0x47]);
      await fs.writeFile("/workspace/a.png", image);
      const result = await toolset.handle("read", { path: "a.png" });
      expect(result.files?.[0]?.data.length).toBe(fits ? Math.ceil(size / 3) * 4 : undefined);
      expect(result.isError).toBe(fits ? undefined : true);
      if (!fits) expect(result.content).toMatch(/^TOO_LARGE: .*at most 3145728 can be shown/);
    }),
  );

  it.each([
    [2 * 1024 * KIB, true],
    [2 * 1024 * KIB + 1, false],
  ])("apply_patch takes a patch of %i bytes: %s", (size, fits) =>
    inWorkspace(async ({ fs, toolset }) => {
      const [before, after] = ["--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+", "\n"];
      const patch = `${before}${"x".repeat(size - before.length - after.length)}${after}`;
      const result = await toolset.handle("apply_patch", { patch });
      expect([result.isError ?? false, await fs.exists("/workspace/new.txt")]).toEqual([!fits, fits]);
      if (!fits) expect(result.content).toContain("at most 2097152 bytes");
    }),
  );

  it("agent_send queues 1000 messages for an agent and refuses one more, until they are taken", () =>
    inWorkspace(
      async ({ toolset, more, workspace }) => {
        const send = (to: string) => toolset.handle("agent_send", { targetAgentId: to, message: "hello" });
        const filled = Array.from({ length: 999 }, (_, i) => ({ from: `other ${i}`, to: "b", text: "x", timeMs: 1 }));
        for (const message of filled)
          expect(
            await workspace[internals].toolState.send(message, { queue: 1000, perMinute: 10, perSenderMinute: 60 }),
          ).toBe("sent");
        expect((await send("b")).isError).toBeUndefined();
        expect(await send("b")).toMatchObject({ isError: true, structured: { error: { code: "QUOTA" } } });
        const b = await more({ agents: { runner: async () => ({ text: "" }), agentId: "b" } });
        expect((await b.inbox()).length).toBe(1000);
        expect((await send("b")).isError).toBeUndefined();
      },
      { agents: { runner: async () => ({ text: "" }), agentId: "a" } },
    ));

  it.each([
    [64 * KIB, false],
    [64 * KIB + 1, true],
  ])("git prints %i bytes: truncated is %s", (size, truncated) =>
    inWorkspace(async ({ fs, call }) => {
      await call("git", { argv: ["init", "-q"] });
      await fs.writeFile("/workspace/a", "x".repeat(size));
      await call("git", { argv: ["add", "a"] });
      const shown = await call("git", { argv: ["show", ":a"] });
      expect([shown.truncated, shown.stdout.length <= 64 * KIB + 200]).toEqual([truncated, true]);
      if (!truncated) expect(shown.stdout).toBe("x".repeat(size));
    }),
  );
});

it("the notes of many calls are two statements, and every outcome is among them", () =>
  inWorkspace(
    async ({ toolset, storage, workspace, refused }) => {
      await toolset.audit();
      const written: string[] = [];
      const { sql } = storage;
      const { exec } = sql;
      Object.defineProperty(sql, "exec", {
        configurable: true,
        value: (text: string, ...values: SqlStorageValue[]) => {
          if (/ws_tool_/.test(text)) written.push(text.slice(0, 20));
          return exec.call(sql, text, ...values);
        },
      });
      for (let i = 0; i < 10; i++) await toolset.handle("read", { path: `f${i}` });
      await refused("read", { path: "none" });
      await refused("read", { path: "../out" });
      await refused("no_tool", {});
      // A missing file may be recorded from before an eviction: one query checks that.
      expect(written.filter((text) => !text.startsWith("SELECT"))).toEqual([]);
      const log = await toolset.audit({ limit: 13 });
      expect(written.filter((text) => text.startsWith("INSERT"))).toEqual([
        "INSERT INTO ws_tool_",
        "INSERT OR REPLACE IN",
      ]);
      expect(log.map(({ outcome }) => outcome).slice(0, 4)).toEqual(["refused", "refused", "failure", "success"]);
      expect(log.length).toBe(13);
      const before = written.length;
      await toolset.handle("read", { path: "f0" });
      // Flushed automatically at the end of the turn, without another call.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(written.slice(before)).toEqual(["INSERT INTO ws_tool_"]);
      const seen = sql.exec("SELECT count(*) AS n FROM ws_tool_read").one().n;
      expect([seen, (await workspace[internals].toolState.auditLog({ limit: 1 }))[0]?.tool]).toEqual([10, "read"]);
    },
    {},
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, `${i}\n`])),
  ));

it("a workspace made without git and shell offers neither", () =>
  inWorkspace(async ({ storage, toolset }) => {
    const bare = await createToolset({ workspace: new Core({ storage }) });
    const missing = toolset.names.filter((name) => !bare.names.includes(name));
    expect(missing).toEqual(["exec", "exec_output", "exec_kill", "git"]);
  }));
