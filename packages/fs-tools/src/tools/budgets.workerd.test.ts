import { describe, expect, it } from "vitest";
import { type Answer, inWorkspace } from "../../test/in-workspace.ts";

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
});
