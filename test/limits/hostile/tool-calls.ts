/** Tool calls whose text, patch, pattern or page asks for work that grows faster than its size. */
export interface ToolCall {
  tool: string;
  /** `page`: of `web_fetch`, what the server answers. */
  input: Record<string, unknown>;
}

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

export const hostileFiles: Readonly<Record<string, string>> = {
  "same.txt": "same\n".repeat(100_000),
  "spaces.txt": `${" ".repeat(500_000)}x\n`,
  "quotes.txt": "\u201ca\u2019 ".repeat(150_000),
  "letters.txt": "ab".repeat(500_000),
  "numbered.txt": lines(50_000, (i) => `  line ${i % 7}`),
  "crlf.txt": "x\r\n".repeat(150_000),
  "marks.txt": "e\u0301".repeat(300_000),
};

const edit = (path: string, oldString: string, more: Record<string, unknown> = {}): ToolCall => ({
  tool: "edit",
  input: { path, oldString, newString: "y", ...more },
});
const patch = (text: string): ToolCall => ({ tool: "apply_patch", input: { patch: text } });
const page = (html: string): ToolCall => ({ tool: "web_fetch", input: { page: html } });
const SIZE = 480_000;
const fill = (text: string) => text.repeat(Math.floor(SIZE / text.length));

export const hostileToolCalls: readonly ToolCall[] = [
  // Old text that almost matches everywhere.
  edit("same.txt", `${"same\n".repeat(20_000)}other`),
  edit("same.txt", `${"same \n".repeat(20_000)}other`),
  edit("same.txt", "same", { replaceAll: true, newString: "x".repeat(1000) }),
  edit("same.txt", `${" same\n".repeat(50_000)}`, { replaceAll: true }),
  edit("spaces.txt", `${" ".repeat(250_000)}y`),
  edit("spaces.txt", " ", { replaceAll: true }),
  edit("quotes.txt", `${"\"a' ".repeat(70_000)}b`),
  edit("letters.txt", `${"ab".repeat(200_000)}c`),
  edit("letters.txt", "a", { replaceAll: true, newString: "aa" }),
  edit(
    "numbered.txt",
    lines(20_000, (i) => `line ${(i + 3) % 7}`),
  ),
  edit("crlf.txt", `${"x\n".repeat(70_000)}y`),
  edit("marks.txt", `${"\u00e9".repeat(100_000)}x`),
  {
    tool: "edit",
    input: {
      path: "numbered.txt",
      edits: Array.from({ length: 5000 }, (_, i) => ({ oldText: `line ${i}`, newText: "x" })),
    },
  },
  {
    tool: "edit",
    input: {
      path: "same.txt",
      edits: Array.from({ length: 2000 }, () => ({ oldText: "same\nsame\nnot", newText: "x" })),
    },
  },
  // Patches with many files, hunks, or context that almost matches.
  patch(`--- a/same.txt\n+++ b/same.txt\n${lines(20_000, (i) => `@@ -${i},1 +${i},1 @@\n-same\n+x`)}\n`),
  patch(`--- a/same.txt\n+++ b/same.txt\n@@ -1 +1 @@\n${" same\n".repeat(50_000)}-other\n+x\n`),
  patch(lines(20_000, (i) => `--- /dev/null\n+++ b/f${i}\n@@ -0,0 +1 @@\n+x`)),
  patch(
    `*** Begin Patch\n*** Update File: numbered.txt\n${lines(10_000, (i) => `@@ line ${i}\n-line x\n+y`)}\n*** End Patch`,
  ),
  patch(`*** Begin Patch\n${lines(20_000, (i) => `*** Add File: d/${i}\n+x`)}\n*** End Patch`),
  patch(`*** Begin Patch\n*** Update File: same.txt\n@@\n${" same\n".repeat(50_000)}-no\n+y\n*** End Patch`),
  patch(`GIT binary patch\nliteral 999999999\n${fill("zzzzzzzz\n")}`),
  patch(`diff --git ${fill("a/ ")}\n`),
  patch(fill("@@ ")),
  patch(fill("--- a\n")),
  patch(`diff --git "a/${fill("\\303")}" "b/x"\n`),
  // Pages.
  ...[
    "<",
    "<a",
    "<a ",
    "<!--",
    "<!",
    "&",
    "&#",
    "&#x",
    "&amp",
    "<p>",
    "<div>",
    "<li><ul>",
    "<table>",
    "<pre>",
    "</",
    "<script>",
  ].map((text) => page(fill(text))),
  ...[
    "<a href='",
    '<a b="',
    "<style>",
    "<b><i>",
    "<title>",
    "<meta charset=",
    "\n \t",
    "]]>",
    "<![CDATA[",
    "<td>",
    "<h1>",
    "<textarea>",
  ].map((text) => page(fill(text))),
  page(`<a ${fill("x=y ")}>`),
  page(`<meta ${" ".repeat(SIZE)}`),
  page(`<!doctype ${fill("html ")}`),
  // Long values, deep values and long paths.
  { tool: "read", input: { path: fill("../") } },
  { tool: "read", input: { path: fill("a/") } },
  { tool: "write", input: { path: "w", content: fill("\ud800") } },
  { tool: "write", input: { path: fill("\u0301"), content: "x" } },
  { tool: "read", input: JSON.parse(`${'{"path":'.repeat(3000)}1${"}".repeat(3000)}`) },
  { tool: "edit", input: { path: "same.txt", edits: JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) } },
  { tool: "edit", input: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])) },
  { tool: "read", input: { [fill("k")]: 1, path: "same.txt" } },
  { tool: "web_fetch", input: { url: `http://a.example/${fill("%")}` } },
  { tool: "web_fetch", input: { url: `http://${fill("a.")}` } },
  { tool: fill("read"), input: {} },
  { tool: "exec", input: { command: fill("ls;") } },
];
