/** File names in patches: C-quoted or plain, ended by a tab or a timestamp, with leading directories to strip. */

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** A quoted name at `start`; null: not well formed. */
export function unquote(text: string, start = 0): { name: string; end: number } | null {
  if (text[start] !== '"') return null;
  const bytes: number[] = [];
  for (let at = start + 1; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) as number);
    at += char.length;
    if (char === '"') return { name: decoder.decode(Uint8Array.from(bytes)), end: at };
    if (char !== "\\") {
      for (const byte of encoder.encode(char)) bytes.push(byte);
      continue;
    }
    const simple = ESCAPES[text[at] ?? ""];
    if (simple !== undefined) {
      bytes.push(simple);
      at++;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at, at + 3));
    if (!octal) return null;
    bytes.push(Number.parseInt(octal[0], 8));
    at += 3;
  }
  return null;
}

/** Strips `strip` directories; null: there are fewer. Several slashes in a row count as one. A NUL ends the name, as in C. */
function stripped(name: string, strip: number): string | null {
  let [rest = ""] = name.split("\0", 1);
  for (let i = 0; i < strip; i++) {
    const slash = rest.indexOf("/");
    if (slash < 0) return null;
    rest = rest.slice(slash).replace(/^\/+/, () => "");
  }
  return rest === "" ? null : rest.replace(/\/{2,}/g, () => "/");
}

const TIMESTAMP =
  /(?<![ \t])[ \t]+(?:\d{4}-\d{2}-\d{2}|\d{2}-\d{2}-\d{2}|\w{3}) .*\d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?: ?[+-]\d{2}:?\d{2})?(?: \d{4})?$/;

/** After "--- " or "+++ ". Null: no name. */
export function headerName(text: string, strip: number): string | null {
  const quoted = unquote(text);
  if (quoted) return stripped(quoted.name, strip);
  const tab = text.indexOf("\t");
  const plain = tab >= 0 ? text.slice(0, tab) : text.length < 1000 ? text.replace(TIMESTAMP, () => "") : text;
  return plain === "" ? null : stripped(plain, strip);
}

export function isDevNull(text: string): boolean {
  return /^\/dev\/null(\s|$)/.test(text);
}

/** A timestamp of 1970 means that the file did not exist. */
export function hasEpochTime(text: string): boolean {
  const match = /\t(1969-12-31|1970-01-01) (\d{2}):(\d{2}):(\d{2})(?:\.0+)? ([+-])(\d{2}):?(\d{2})$/.exec(text);
  if (!match) return false;
  const [, day, hour, minute, second, sign, zoneHour, zoneMinute] = match;
  if (second !== "00") return false;
  const zone = (sign === "-" ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute));
  const minutes = (day === "1969-12-31" ? -24 * 60 : 0) + Number(hour) * 60 + Number(minute);
  return minutes === zone;
}

/** The one name in "a/x b/x" after "diff --git "; null: ambiguous. */
export function gitHeaderName(text: string, strip: number): string | null {
  const first = unquote(text);
  if (first) {
    const name = stripped(first.name, strip);
    const rest = text.slice(first.end).replace(/^ /, () => "");
    const second = unquote(rest);
    const other = second ? stripped(second.name, strip) : stripped(rest, strip);
    return name !== null && name === other ? name : null;
  }
  const quote = text.indexOf('"');
  if (quote > 0 && text[quote - 1] === " ") {
    const second = unquote(text, quote);
    const name = second && stripped(second.name, strip);
    if (name && stripped(text.slice(0, quote - 1), strip) === name) return name;
    return null;
  }
  // Names may contain spaces: the split is right if both sides name the same file.
  let spaces = 0;
  for (let at = text.indexOf(" "); at >= 0 && spaces < MAX_SPACES; at = text.indexOf(" ", at + 1), spaces++) {
    const name = stripped(text.slice(at + 1), strip);
    if (name !== null && stripped(text.slice(0, at), strip) === name) return name;
    if (at > MAX_NAME) return null;
  }
  return null;
}

const MAX_NAME = 8192;
/** Bounded: each attempt takes time linear in the line. */
const MAX_SPACES = 512;
