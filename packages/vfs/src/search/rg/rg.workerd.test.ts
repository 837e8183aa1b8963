/** The command line: the same bytes and exit codes as ripgrep writes to a pipe. The expected output was written by rg 15.0.0. */
import { inObject } from "@workspace/testing/in-object";
import { runRg } from "@workspace/vfs";
import { expect, it } from "vitest";

async function rg(argv: string[], cwd = "/workspace"): Promise<{ code: number; out: string; err: string }> {
  return inObject(async ({ fs, volume }) => {
    await fs.writeMany([
      { path: "/workspace/a.txt", content: "one foo\ntwo\nthree Foo bar foo\nfour\nfive\n" },
      { path: "/workspace/sub/b.ts", content: "  foo\nno end foo" },
      { path: "/workspace/sub/bin", content: "foo\0\n" },
      { path: "/workspace/.gitignore", content: "skipped\n" },
      { path: "/workspace/skipped", content: "foo\n" },
    ]);
    const chunks: string[] = ["", ""];
    const take = (to: 0 | 1) => (bytes: Uint8Array) => void (chunks[to] += new TextDecoder().decode(bytes));
    const code = await runRg(volume, argv, { cwd, stdout: take(0), stderr: take(1) });
    return { code, out: chunks[0] as string, err: chunks[1] as string };
  });
}

it.each<[argv: string[], out: string, code?: number]>([
  [["foo"], "a.txt:one foo\na.txt:three Foo bar foo\nsub/b.ts:  foo\nsub/b.ts:no end foo\n"],
  [["-n", "foo", "a.txt"], "1:one foo\n3:three Foo bar foo\n"],
  [["-nH", "--column", "-b", "Foo", "."], "./a.txt:3:7:12:three Foo bar foo\n"],
  [["-c", "foo"], "a.txt:2\nsub/b.ts:2\n"],
  [["--count-matches", "-i", "foo"], "a.txt:3\nsub/b.ts:2\n"],
  [["-l", "foo", "sub", "a.txt"], "sub/b.ts\na.txt\n"],
  [["-o", "-i", "foo", "a.txt"], "foo\nFoo\nfoo\n"],
  [["-on", "o+", "sub"], "sub/b.ts:1:oo\nsub/b.ts:2:o\nsub/b.ts:2:oo\n"],
  [["-C1", "-n", "two", "a.txt"], "1-one foo\n2:two\n3-three Foo bar foo\n"],
  [
    ["-A1", "foo"],
    "a.txt:one foo\na.txt-two\na.txt:three Foo bar foo\na.txt-four\n--\nsub/b.ts:  foo\nsub/b.ts:no end foo\n",
  ],
  [["-A0", "-B1", "-n", "o|five", "a.txt", "-m2"], "1:one foo\n2:two\n"],
  [["-v", "-N", "o", "a.txt"], "five\n"],
  [["--heading", "-n", "foo"], "a.txt\n1:one foo\n3:three Foo bar foo\n\nsub/b.ts\n1:  foo\n2:no end foo\n"],
  [["--vimgrep", "foo", "a.txt"], "a.txt:1:5:one foo\na.txt:3:15:three Foo bar foo\n"],
  [["--trim", "-I", "-g", "*.ts", "foo"], "foo\nno end foo\n"],
  [["-M9", "foo", "sub/b.ts"], "  foo\n[Omitted long matching line]\n"],
  [["-M9", "--max-columns-preview", "foo", "sub/b.ts"], "  foo\nno end fo [... omitted end of long line]\n"],
  [["-t", "ts", "-l", "foo"], "sub/b.ts\n"],
  [["--files"], "a.txt\nsub/b.ts\nsub/bin\n"],
  [["--files", "-u", "-0", "sub"], "sub/b.ts\u0000sub/bin\u0000"],
  [["-F", "-e", "o f", "-e", "four"], "a.txt:four\n"],
  [["-e", "four", "-e", "five", "a.txt"], "four\nfive\n"],
  [["-q", "foo"], ""],
  [["none"], "", 1],
  [["foo", "sub/bin"], 'binary file matches (found "\\0" byte around offset 3)\n'],
  [
    ["foo", "sub/bin", "a.txt"],
    'sub/bin: binary file matches (found "\\0" byte around offset 3)\na.txt:one foo\na.txt:three Foo bar foo\n',
  ],
  [["-a", "-c", "foo", "sub"], "sub/b.ts:2\nsub/bin:1\n"],
  [["-a", "foo", "sub/bin"], "foo\u0000\n"],
  [["-U", "-n", "two\\nthree", "a.txt"], "2:two\n3:three Foo bar foo\n"],
  [["-U", "-no", "wo\\nthr", "a.txt"], "2:wo\n3:thr\n"],
  [["-U", "-c", "o\\n", "a.txt"], "3\n"],
  [["-U", "--column", "-n", "wo\\nthr|bar", "a.txt"], "2:2:two\n3:2:three Foo bar foo\n"],
  [
    ["-U", "--vimgrep", "o\\n|F", "a.txt"],
    "a.txt:1:7:one foo\na.txt:2:3:two\na.txt:3:7:three Foo bar foo\na.txt:3:17:three Foo bar foo\n",
  ],
  [["--files-without-match", "five"], "sub/b.ts\n"],
  [["-il", "FOO", "."], "./a.txt\n./sub/b.ts\n"],
  [["-c", "none"], "", 1],
  [["-ob", "o+", "a.txt"], "0:o\n5:oo\n10:o\n19:oo\n27:oo\n31:o\n"],
  [["--column", "foo", "a.txt"], "1:5:one foo\n3:15:three Foo bar foo\n"],
  [["-w", "fo", "a.txt"], "", 1],
  [["-x", "two", "a.txt"], "two\n"],
  [["-S", "foo", "a.txt"], "one foo\nthree Foo bar foo\n"],
  [["-S", "Foo", "a.txt"], "three Foo bar foo\n"],
  [["-0", "foo"], "a.txt\u0000one foo\na.txt\u0000three Foo bar foo\nsub/b.ts\u0000  foo\nsub/b.ts\u0000no end foo\n"],
  [["-0c", "foo"], "a.txt\u00002\nsub/b.ts\u00002\n"],
  [["-C1", "-o", "foo", "a.txt"], "foo\ntwo\nfoo\nfour\n"],
  [["-vc", "foo"], "a.txt:3\n"],
  [["-n", "-v", "-C1", "foo", "a.txt"], "1-one foo\n2:two\n3-three Foo bar foo\n4:four\n5:five\n"],
  [["--trim", "-o", " +f", "sub"], "sub/b.ts:f\nsub/b.ts:f\n"],
  [["-uu", "-l", "foo"], "a.txt\nskipped\nsub/b.ts\n"],
  [["foo", "./sub", "a.txt"], "./sub/b.ts:  foo\n./sub/b.ts:no end foo\na.txt:one foo\na.txt:three Foo bar foo\n"],
  [["foo", "sub/"], "sub/b.ts:  foo\nsub/b.ts:no end foo\n"],
  [["-N", "--column", "foo", "a.txt"], "5:one foo\n15:three Foo bar foo\n"],
  [["--no-heading", "-nA1", "two"], "a.txt:2:two\na.txt-3-three Foo bar foo\n"],
])("rg %j", async (argv, out, code = 0) => {
  expect(await rg(argv)).toEqual({ code, out, err: "" });
});

it.each<[argv: string[], err: RegExp]>([
  [["--nonsense"], /^rg: unrecognized flag --nonsense\n$/],
  [["-P", "a"], /^rg: -P: look-around and backreferences \(PCRE2\) are not supported\n$/],
  [["-A", "x", "a"], /^rg: error parsing flag --after-context: value is not a valid number: x\n$/],
  [["-e"], /^rg: missing value for flag -e\n$/],
  [[], /^rg: ripgrep requires at least one pattern/],
  [["("], /^rg: EINVAL: bad pattern "\("/],
  [["a", "none"], /^rg: ENOENT: /],
])("rg %j is refused", async (argv, err) => {
  const refused = await rg(argv);
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(err);
});

it("rg --json prints messages a line each, with paths as they were given", async () => {
  const { out } = await rg(["--json", "two", "a.txt"]);
  const messages = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.map(({ type }) => type)).toEqual(["begin", "match", "end"]);
  expect(messages[1].data).toMatchObject({
    path: { text: "a.txt" },
    lines: { text: "two\n" },
    line_number: 2,
    absolute_offset: 8,
  });
});

it("rg --help and --type-list tell what there is", async () => {
  expect((await rg(["--help"])).out).toContain("-C, --context=<number>");
  expect((await rg(["--type-list"])).out).toContain("ts: *.cts, *.mts, *.ts, *.tsx\n");
});

it.each<[argv: string[], code: number]>([
  [["-o", "x"], 2],
  [["--count-matches", "x"], 2],
  [["--json", "x"], 2],
  [["-c", "x"], 0],
  [["x"], 0],
  [["-o", "xx"], 0],
])("rg %j says when it leaves out matches of a line that has very many", (argv, code) =>
  inObject(async ({ fs, volume }) => {
    await fs.mkdir("/workspace", { recursive: true });
    await fs.writeFile("/workspace/long", `${"x".repeat(20_001)}\n`);
    let err = "";
    const stderr = (bytes: Uint8Array) => void (err += new TextDecoder().decode(bytes));
    expect(await runRg(volume, argv, { cwd: "/workspace", stdout: () => {}, stderr })).toBe(code);
    expect(err).toBe(code === 0 ? "" : "rg: a line has more than 20000 matches; the others are left out\n");
  }),
);
