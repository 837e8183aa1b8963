import { expect, it } from "vitest";
import { htmlToText } from "./html-to-text.ts";

/** Each is repeated to fill a page. */
const REPEATED = [
  ...["<", "<<", "</", "<!", "<?", "<!-", "<!--", "<!-->", "<![CDATA[", "<![CDATA", "]]>", "-->", ">"],
  ...["<a ", "<a", "<a href=", "<a href=x ", '<a "', "<a '", `<a "'`, `<a '"`, `<a x="`, `<a x='y' "`, "<a href = "],
  ...["<a href=x>", "<a href=x></a>", "</a>", "<img alt='", '<img alt="x">', "<img alt=x alt = ", "<title>", "<title"],
  ...["</title", "<style>", "</style", "<style", "<script>", "</script", "<nav/>", "<template>x", "<p", "<p>", "</p>"],
  ...["<li>", "<br>", "<hr>", "<h6>", "<pre>", "</pre>", "<pre> ", "<td>x</td>", "a<b>", " <b> ", "x <br> ", "<code>"],
  // The second round.
  ...[
    "<pre><br>",
    "<li><li>",
    "<ol><li>",
    "<h1><h1>",
    "<td><td>",
    "<p> </p>",
    "<br><br>",
    " </a><a href=x>",
    "<a href=x><a>",
  ],
  ...[
    "<svg>",
    "</svg>",
    "<svg/>",
    "<title></title",
    "<script><",
    "<noscript><noscript>",
    "<!-- --!>",
    "<!---",
    "<!>",
    "</ >",
  ],
  ...[
    "<a href='&amp;'>",
    "&#0;",
    "&#1114112;",
    "&#xd800;",
    "&AMP",
    "<A HREF=X>",
    "<a\fhref=x>",
    "<a/href=x>",
    "<\u0130>",
    "\u2028",
  ],
  ...[
    "<img alt=&quot;>",
    "<code><code>",
    "<pre>\n\n\n",
    "\n\n\n\n<p>",
    "<hr/>\n",
    "<x-y:z.w>",
    "<a b='\"' c=\"'\">",
    "<!DOCTYPE [<",
    "<![if",
    "\0",
  ],
  ...["&", "&a", "&#", "&#x", "&amp", "&amp;", "&nbsp;", " ", "\n", "\t", "\r\n", "\u00a0", " \n", "\"'>", "<a:b-c "],
];
/** Once, before or after a long run. */
const RUNS: readonly ((run: (text: string) => string) => string)[] = [
  (run) => `<pre>${run(" ")}x`,
  (run) => `<pre>${run(" \t")}\nx`,
  (run) => `<pre>x${run("\n")}`,
  (run) => `<a ${run(" href")}>`,
  (run) => `<a ${run(" href=")}>`,
  (run) => `<a title='${run(' href="')}>'>`,
  (run) => `<a href="${run("x ")}">y</a>`,
  (run) => `<${run("a")}>`,
  (run) => `<${run("a")}`,
  (run) => `<title ${run("<title>")}`,
  (run) => `<title>${run("</title")}`,
  (run) => `&${run("a")};`,
  (run) => `&${run("a")}`,
  (run) => `<style>${run("</style ")}`,
  (run) => `<script>${run("<b '")}</script>`,
  (run) => `<img ${run("alt=")}>`,
  (run) => `<a ${run("href='x' ")}>`,
  (run) => `<a ${run("\n")}href=x>y</a>`,
  (run) => `<a href="${run("\n")}">y</a>`,
  (run) => `<a href="${run("../")}">y</a>`,
  (run) => `<a href="${run("%")}">y</a>`,
  (run) => `<a href="${run(" ")}javascript:x">y</a>`,
  (run) => `<svg>${run("</svg ")}`,
  (run) => `<title>${run(" ")}</title>`,
  (run) => `${run("<b>")}x${run("</b>")}`,
  (run) => `${run("<li>")}${run("</li>")}`,
  (run) => `<!--${run("-")}x`,
  (run) => `<![CDATA[${run("]]")}`,
  (run) => `x${run(" ")}<br>${run(" ")}y`,
];

const shapes = [
  ...REPEATED.map((text) => (length: number) => text.repeat(Math.ceil(length / text.length))),
  ...RUNS.map((make) => (length: number) => make((text) => text.repeat(Math.ceil(length / text.length)))),
];

it(`htmlToText takes steps in proportion to the length of ${shapes.length} hostile pages`, () => {
  for (const page of shapes) {
    const small = htmlToText(page(12_500), "https://example.org/");
    const large = htmlToText(page(250_000), "https://example.org/");
    expect([page(20), large.steps < 21 * small.steps + 1000]).toEqual([page(20), true]);
    expect([page(20), large.steps < 20 * 250_000]).toEqual([page(20), true]);
  }
});

it("htmlToText ends where short tags make more text than it writes", () => {
  const base = `https://example.org/${"a/".repeat(1000)}`;
  for (const link of ["<a href=x>", "<a href=x>y</a>"]) {
    const { cut, steps } = htmlToText(link.repeat(40_000), base);
    expect([link, cut, steps < 10_000_000]).toEqual([link, true, true]);
  }
  expect(htmlToText("<a href=x>y</a>", base)).toMatchObject({ cut: false, text: `[y](${base}x)` });
});

it("htmlToText takes what looks like a tag and never ends for text", () => {
  expect(htmlToText("<p>a < b and <i it's <b>bold</b> <!doctype").text).toBe("a < b and <i it's bold <!doctype");
  expect(htmlToText("1 <2 and <a title='>'>3</a> <!-- open").text).toBe("1 <2 and 3");
});

it("htmlToText leaves names that are no character reference as they are", () => {
  expect(htmlToText("&constructor; &toString; &__proto__; &unknown; &AMP; &eacute;").text).toBe(
    "&constructor; &toString; &__proto__; &unknown; & é",
  );
});
