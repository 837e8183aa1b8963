/** A page as text: headings, lists, links and code are kept in Markdown's marks, scripts, styles and markup are gone. */

const DROPPED = /^(script|style|noscript|template|svg|math|iframe|object|head|title|nav|dialog|canvas)$/;
const BLOCKS =
  /^(p|div|section|article|main|header|footer|aside|ul|ol|dl|dt|dd|table|tr|blockquote|figure|figcaption|form|fieldset|h[1-6]|hr|pre|address|details|summary)$/;
const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/?)([a-zA-Z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>|<[!?][^>]*>|[^<]+|</g;

export function htmlToText(html: string, base?: string): { title: string; text: string } {
  const title = decodeEntities(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(html.slice(0, 100_000))?.[1] ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const writer = new Writer();
  let dropped: string | null = null;
  const links: (string | null)[] = [];
  for (const [token, closing, rawName, attributes = ""] of html.matchAll(TOKEN)) {
    const name = rawName?.toLowerCase();
    if (dropped !== null) {
      if (name === dropped && closing === "/") dropped = null;
      continue;
    }
    if (name === undefined) {
      if (!token.startsWith("<!") && !token.startsWith("<?")) writer.text(decodeEntities(token));
      continue;
    }
    if (DROPPED.test(name)) {
      if (closing !== "/" && !attributes.endsWith("/")) dropped = name;
      continue;
    }
    tag(writer, name, closing === "/", attributes, links, base);
  }
  return { title, text: writer.done() };
}

function tag(
  writer: Writer,
  name: string,
  closing: boolean,
  attributes: string,
  links: (string | null)[],
  base: string | undefined,
): void {
  if (name === "br") return writer.line();
  if (name === "hr") return writer.block("---");
  if (name === "pre") return writer.pre(!closing);
  if (name === "code" || name === "kbd" || name === "samp") return writer.mark("`");
  if (name === "li") return closing ? writer.line() : writer.start("- ");
  if (name === "td" || name === "th") return closing ? writer.mark(" | ") : undefined;
  const heading = /^h([1-6])$/.exec(name);
  if (heading !== null) return closing ? writer.block() : writer.start(`${"#".repeat(Number(heading[1]))} `, true);
  if (name === "img") {
    const alt = attribute(attributes, "alt");
    return alt === null || alt === "" ? undefined : writer.text(`[image: ${alt}]`);
  }
  if (name === "a") {
    if (!closing) {
      links.push(linkOf(attributes, base));
      if (links.at(-1) !== null) writer.mark("[");
      return;
    }
    const href = links.pop();
    if (href !== null && href !== undefined) writer.mark(`](${href})`);
    return;
  }
  if (BLOCKS.test(name)) writer.block();
}

function linkOf(attributes: string, base: string | undefined): string | null {
  const href = attribute(attributes, "href");
  if (href === null || href === "" || href.startsWith("#") || /^\s*javascript:/i.test(href)) return null;
  try {
    return base === undefined ? href : new URL(href, base).href;
  } catch {
    return null;
  }
}

function attribute(attributes: string, name: string): string | null {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes);
  return match === null ? null : decodeEntities(match[1] ?? match[2] ?? match[3] ?? "");
}

class Writer {
  #out = "";
  #pre = 0;

  text(text: string): void {
    if (this.#pre > 0) {
      this.#out += text;
      return;
    }
    const words = text.replace(/\s+/g, " ");
    const glued = this.#out === "" || /\s$/.test(this.#out) ? words.trimStart() : words;
    this.#out += glued;
  }

  /** As it is, between words. */
  mark(text: string): void {
    this.#out += this.#pre > 0 && text === "`" ? "" : text;
  }

  line(): void {
    if (!this.#out.endsWith("\n") && this.#out !== "")
      this.#out = `${this.#pre > 0 ? this.#out : this.#out.trimEnd()}\n`;
  }

  block(text = ""): void {
    this.line();
    if (this.#out !== "" && !this.#out.endsWith("\n\n")) this.#out += "\n";
    if (text !== "") this.#out += `${text}\n\n`;
  }

  start(mark: string, apart = false): void {
    if (apart) this.block();
    else this.line();
    this.#out += mark;
  }

  pre(opens: boolean): void {
    if (opens) {
      this.block();
      this.#out += "```\n";
      this.#pre++;
      return;
    }
    if (this.#pre === 0) return;
    this.#pre--;
    if (!this.#out.endsWith("\n")) this.#out += "\n";
    this.#out += "```\n\n";
  }

  done(): string {
    return this.#out
      .replace(/[ \t]+\n/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  laquo: "«",
  raquo: "»",
  times: "×",
  rarr: "→",
  larr: "←",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  uuml: "ü",
  ouml: "ö",
  auml: "ä",
  szlig: "ß",
  ccedil: "ç",
  ntilde: "ñ",
  deg: "°",
  euro: "€",
  pound: "£",
};

export function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return NAMED[name] ?? NAMED[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\uFFFD";
  });
}
