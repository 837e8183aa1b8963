/**
 * Converts a page to text: headings, lists, links and code become Markdown; scripts, styles and markup are removed. Every page
 * takes time linear in its length, because anyone can write one.
 */
import { decodeEntities } from "./html-entities.ts";
import { htmlTokens } from "./html-tokens.ts";
import { TextWriter } from "./text-writer.ts";

const DROPPED = /^(script|style|noscript|template|svg|math|iframe|object|head|title|nav|dialog|canvas)$/;
const BLOCKS =
  /^(p|div|section|article|main|header|footer|aside|ul|ol|dl|dt|dd|table|tr|blockquote|figure|figcaption|form|fieldset|h[1-6]|hr|pre|address|details|summary)$/;
/** The title must be within this range. */
const TITLE_RANGE = 100_000;
/** Characters of text and of resolved links: short tags can produce long URLs. */
const MAX_WRITTEN = 4_000_000;

export interface PageText {
  title: string;
  text: string;
  /** The page's text exceeded the limit. */
  cut: boolean;
  /** Characters examined and written. */
  steps: number;
}

export function htmlToText(html: string, base?: string): PageText {
  const writer = new TextWriter();
  const links = new LinkStack(base);
  const work = { steps: Math.min(html.length, TITLE_RANGE) };
  let dropped: string | null = null;
  let cut = false;
  for (const token of htmlTokens(html, work)) {
    if (writer.written + links.resolved > MAX_WRITTEN) {
      cut = true;
      break;
    }
    if (dropped !== null) {
      if (token.kind === "tag" && token.closing && token.name === dropped) dropped = null;
    } else if (token.kind === "text") writer.text(decodeEntities(token.text));
    else if (!DROPPED.test(token.name)) writeTag(writer, token.name, token.closing, token.attributes, links);
    else if (!token.closing && !token.attributes.endsWith("/")) dropped = token.name;
  }
  const steps = work.steps + writer.written + links.resolved;
  return { title: pageTitle(html.slice(0, TITLE_RANGE)), text: writer.done(), cut, steps };
}

function pageTitle(head: string): string {
  const start = head.search(/<title/i);
  const end = start < 0 ? -1 : head.indexOf(">", start + "<title".length);
  const length = end < 0 ? -1 : head.slice(end + 1).search(/<\/title>/i);
  if (length < 0) return "";
  const title = head.slice(end + 1, end + 1 + length);
  return decodeEntities(title).replace(/\s+/g, " ").trim();
}

function writeTag(writer: TextWriter, name: string, closing: boolean, attributes: string, links: LinkStack): void {
  if (name === "br") return writer.line();
  if (name === "hr") return writer.block("---");
  if (name === "pre") return writer.pre(!closing);
  if (name === "code" || name === "kbd" || name === "samp") return writer.mark("`");
  if (name === "li") return closing ? writer.line() : writer.start("- ");
  if (name === "td" || name === "th") return closing ? writer.mark(" | ") : undefined;
  const heading = /^h([1-6])$/.exec(name);
  if (heading !== null) return closing ? writer.block() : writer.start(`${"#".repeat(Number(heading[1]))} `, true);
  if (name === "img") {
    const alt = attributeValue(attributes, ALT);
    return alt === null || alt === "" ? undefined : writer.text(`[image: ${alt}]`);
  }
  if (name === "a") {
    if (!closing) return links.open(attributes) ? writer.mark("[") : undefined;
    const href = links.close();
    return href === null ? undefined : writer.mark(`](${href})`);
  }
  if (BLOCKS.test(name)) writer.block();
}

/** The open links, each with its URL; null: one without a valid URL. */
class LinkStack {
  readonly #open: (string | null)[] = [];
  readonly #base: string | undefined;
  /** Characters of resolved URLs. */
  resolved = 0;

  constructor(base: string | undefined) {
    this.#base = base;
  }

  open(attributes: string): boolean {
    const href = this.#address(attributes);
    this.#open.push(href);
    return href !== null;
  }

  close(): string | null {
    return this.#open.pop() ?? null;
  }

  #address(attributes: string): string | null {
    const href = attributeValue(attributes, HREF);
    if (href === null || href === "" || href.startsWith("#") || /^\s*javascript:/i.test(href)) return null;
    if (this.#base === undefined) return href;
    this.resolved += this.#base.length + href.length;
    try {
      return new URL(href, this.#base).href;
    } catch {
      return null;
    }
  }
}

const ALT = /(?:^|\s)alt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

function attributeValue(attributes: string, pattern: RegExp): string | null {
  const match = pattern.exec(attributes);
  return match === null ? null : decodeEntities(match[1] ?? match[2] ?? match[3] ?? "");
}
