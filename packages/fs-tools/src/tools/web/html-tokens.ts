/**
 * Splits a page into texts and tags in one pass. An unclosed tag is text. The end of a tag is precomputed for every position, so a
 * page of unclosed tags takes no longer than any other.
 */
export type HtmlToken =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tag"; readonly name: string; readonly closing: boolean; readonly attributes: string };

/** Counts the characters examined, for tests of linear growth. */
export interface HtmlSteps {
  steps: number;
}

const NO_END = -1;
const NAME = /[a-zA-Z][\w:-]*/y;

/** Skips comments, CDATA sections, declarations and processing instructions. */
export function* htmlTokens(html: string, work: HtmlSteps): Generator<HtmlToken> {
  const ends = tagEnds(html);
  const lastEnd = html.lastIndexOf(">");
  work.steps += 2 * html.length;
  for (let at = 0; at < html.length; ) {
    const start = at;
    if (html[at] !== "<") {
      const next = html.indexOf("<", at);
      at = next < 0 ? html.length : next;
      yield { kind: "text", text: html.slice(start, at) };
    } else if (html.startsWith("<!--", at)) at = after(html, "-->", at + 4);
    else if (html.startsWith("<![CDATA[", at)) at = after(html, "]]>", at + 9);
    else if (html[at + 1] === "!" || html[at + 1] === "?") {
      if (at < lastEnd) at = after(html, ">", at + 2);
      else yield { kind: "text", text: html[at++] as string };
    } else {
      const closing = html[at + 1] === "/";
      NAME.lastIndex = at + (closing ? 2 : 1);
      const name = NAME.exec(html)?.[0];
      const from = NAME.lastIndex;
      work.steps += name?.length ?? 0;
      const end = name === undefined ? NO_END : (ends[from] as number);
      if (name === undefined || end === NO_END) yield { kind: "text", text: html[at++] as string };
      else {
        at = end;
        yield { kind: "tag", name: name.toLowerCase(), closing, attributes: html.slice(from, end - 1) };
      }
    }
    work.steps += at - start;
  }
}

function after(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from);
  return at < 0 ? html.length : at + end.length;
}

/** For each position outside quotes: where its tag would end, after the `>`. */
function tagEnds(html: string): Int32Array {
  const ends = new Int32Array(html.length + 1);
  ends[html.length] = NO_END;
  let double = NO_END;
  let single = NO_END;
  for (let at = html.length - 1; at >= 0; at--) {
    const code = html.charCodeAt(at);
    if (code === GREATER) ends[at] = at + 1;
    else if (code === DOUBLE) {
      ends[at] = double === NO_END ? NO_END : (ends[double + 1] as number);
      double = at;
    } else if (code === SINGLE) {
      ends[at] = single === NO_END ? NO_END : (ends[single + 1] as number);
      single = at;
    } else ends[at] = ends[at + 1] as number;
  }
  return ends;
}

const GREATER = 62;
const DOUBLE = 34;
const SINGLE = 39;
