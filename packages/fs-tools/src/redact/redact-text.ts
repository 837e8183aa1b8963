/**
 * Redacts the secrets of a text or a command line: private keys, tokens of known shape, passwords in URLs, and values of secret
 * names and options. The rest stays readable. Each step is one pass over the text, whatever its length.
 */
import { isSecretHeader, isSecretName, isWeakSecretName } from "./secret-names.ts";
import { type OptionSecret, optionSecret } from "./secret-options.ts";
import { PRIVATE_KEY, SECRET_SHAPE } from "./secret-shapes.ts";

export const REDACTED = "[redacted]";

/** Without one of these there is no assignment, option, URL, scheme or token: most paths and names need no further check. */
const MAY_HOLD_SECRET = /[=:]|(?:^|[\s"'`])-|[\w.-]{12}|bearer|basic/i;

export function redactText(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  let safe = text;
  if (safe.includes("-----BEGIN ")) safe = safe.replace(PRIVATE_KEY, () => REDACTED);
  if (safe.includes("://")) safe = redactAddresses(safe);
  safe = redactValues(redactOptions(safe));
  safe = safe.replace(SCHEMES, (whole, scheme: string, value: string) =>
    isCredential(scheme, value) ? `${scheme} ${REDACTED}` : whole,
  );
  return safe.replace(SECRET_SHAPE, () => REDACTED);
}

/** The words of an argv: an option's secret may be the next word. */
export function redactWords(words: readonly string[]): string[] {
  const before: string[] = [];
  let next: OptionSecret | null = null;
  return words.map((word) => {
    const kind = next;
    next = null;
    if (before.length === 0 || !word.startsWith("-")) {
      const safe = kind === null ? redactText(word) : redactOption(kind, word);
      remember(before, word);
      return safe;
    }
    const found = optionOf(before, word);
    if (found === null) return redactText(word);
    if (found.glued === "") next = found.kind;
    return found.glued === "" ? word : `${found.option}${redactOption(found.kind, found.glued)}`;
  });
}

/** `scheme://user:password@host`, and a token in place of a user. */
function redactAddresses(text: string): string {
  return text
    .replace(ADDRESS, (whole, scheme = "", user: string) =>
      isPlainUser(scheme, user) ? whole : `${scheme}://${REDACTED}@`,
    )
    .replace(ODD_ADDRESS, (_, scheme = "") => `${scheme}://${REDACTED}@`);
}

const ADDRESS = /([a-z][a-z0-9+.-]{0,20})?:\/\/([^\s'"/?#]{1,512})@/gi;
/** With a slash or similar in the password; not a port. */
const ODD_ADDRESS = /([a-z][a-z0-9+.-]{0,20})?:\/\/[^\s'"/@:[\]]{1,128}:(?!\d{1,5}(?:[/?#\s'"]|$))[^\s'"@]{1,256}@/gi;

function isPlainUser(scheme: string, user: string): boolean {
  if (user === REDACTED) return true;
  return !user.includes(":") && (user === "git" || /^(?:git\+)?(?:ssh|sftp|scp|rsync|svn\+ssh)$/i.test(scheme));
}

const WORD = /[^\s"'`;|&()<>]+/g;
const SEPARATOR = /[;|&()\n]/;
const VALUE_AFTER = /\s+(?:"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"|$)|'([^']*)(?:'|$)|([^\s;|&()<>]+))/y;

/** `--password x`, `-u user:x`, `mysql -px`. */
function redactOptions(text: string): string {
  if (!text.includes("-")) return text;
  const parts: string[] = [];
  let before: string[] = [];
  let from = 0;
  let end = 0;
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [word] = match;
    if (SEPARATOR.test(text.slice(end, match.index))) before = [];
    end = WORD.lastIndex;
    const found = word.startsWith("-") ? optionOf(before, word) : null;
    if (found === null) {
      if (!word.startsWith("-")) remember(before, word);
      continue;
    }
    const start = match.index + found.option.length;
    if (found.glued !== "") {
      parts.push(text.slice(from, start), redactOption(found.kind, found.glued));
      from = end;
      continue;
    }
    VALUE_AFTER.lastIndex = end;
    const value = VALUE_AFTER.exec(text);
    const given = value?.[1] ?? value?.[2] ?? value?.[3];
    if (value === null || given === undefined || given.startsWith("-")) continue;
    const space = value[0].length - value[0].trimStart().length;
    const safe = redactOption(found.kind, given);
    if (safe === given) continue;
    parts.push(text.slice(from, end + space), safe);
    from = end = WORD.lastIndex = VALUE_AFTER.lastIndex;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Remembers the words before an option that determine its meaning: the program, and whether it logs in. */
function remember(before: string[], word: string): void {
  if (/^\w+=/.test(word)) return;
  const name = word.slice(word.lastIndexOf("/") + 1);
  if (before.length === 0 ? !WRAPPERS.has(name) : before.length < 4) before.push(name);
}

/** Programs that start another program. */
const WRAPPERS = new Set(["sudo", "env", "time", "nohup", "exec", "command", "xargs", "nice", "timeout", "bash", "sh"]);

/** `glued`: the value, if it is in the same word. Null: no secret. */
function optionOf(
  before: readonly string[],
  word: string,
): { option: string; kind: OptionSecret; glued: string } | null {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const known = optionSecret(before, name);
  if (known !== undefined)
    return equals < 0
      ? { option: word, kind: known, glued: "" }
      : { option: word.slice(0, equals + 1), kind: known, glued: word.slice(equals + 1) };
  if (equals < 0 && word.length > 3 && (isSecretName(name) || (word.startsWith("--") && isWeakSecretName(name))))
    return { option: word, kind: "value", glued: "" };
  const short = word.slice(0, 2);
  const kind = word.startsWith("--") || word.length < 3 ? undefined : optionSecret(before, short);
  return kind === undefined ? null : { option: short, kind, glued: word.slice(2) };
}

function redactOption(kind: OptionSecret, value: string): string {
  if (isReference(value)) return value;
  if (kind === "value") return REDACTED;
  if (kind === "cookie") return value.includes("=") ? REDACTED : value;
  const colon = value.search(/[:%]/);
  if (colon < 0 || /^\d*:\d*$/.test(value) || value.includes("://")) return redactTextInside(value);
  return `${value.slice(0, colon + 1)}${REDACTED}`;
}

function redactTextInside(value: string): string {
  return value.replace(SECRET_SHAPE, () => REDACTED);
}

/** `$TOKEN`, `${TOKEN}`, `$(cat token)`, `{{ token }}`: the name of a secret. */
function isReference(value: string): boolean {
  return /^"?(?:\$\{?\w+\}?|\$\(.*|\{\{.*|<\w+>|\*+|%\w+%)"?$/.test(value) || value === "" || value === REDACTED;
}

const NAME = /(?<![\w.-])[\w.-]+(?=["']?\s{0,8}(?:=|:(?!:)))/g;
const SIGN = /["']?\s{0,8}[=:]>?\s{0,8}/y;
const VALUE =
  /\[redacted\]|"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|'[^']*(?:'|$)|[^\s"'&;|]*(?:&(?![&\s]|[\w.-]+=)[^\s"'&;|]*)*/y;

const NOTHING = /^(?:true|false|null|undefined|none|yes|no)$/i;

/** `NAME=x`, `"name": "x"`, `?name=x` and `Header: x`. */
function redactValues(text: string): string {
  const parts: string[] = [];
  let from = 0;
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const [name] = match;
    const isHeader = isSecretHeader(name);
    const isWeak = !isHeader && !isSecretName(name);
    if (isWeak && !(text[NAME.lastIndex] === "=" && isWeakSecretName(name))) continue;
    SIGN.lastIndex = NAME.lastIndex;
    SIGN.exec(text);
    const start = SIGN.lastIndex;
    const end =
      isHeader && text[NAME.lastIndex] === ":" ? endOfHeader(text, match.index, start) : endOfValue(text, start);
    NAME.lastIndex = Math.max(end, NAME.lastIndex);
    const value = text.slice(start, end);
    const quote = /^["']/.exec(value)?.[0] ?? "";
    if (isReference(value) || (isWeak ? /^\d{1,3}$/ : NOTHING).test(value)) continue;
    parts.push(text.slice(from, start), quote, REDACTED, quote);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function endOfValue(text: string, start: number): number {
  VALUE.lastIndex = start;
  return VALUE.exec(text) === null ? start : VALUE.lastIndex;
}

/** A header ends at the quote before its name, or at the end of its line. */
function endOfHeader(text: string, nameStart: number, start: number): number {
  const before = text[nameStart - 1];
  const quote = before === '"' || before === "'" ? before : "\n";
  const end = text.indexOf(quote, start);
  return end < 0 ? text.length : end;
}

const SCHEMES = /\b(bearer|basic)\s{1,8}([\w.~+/=-]{4,})/gi;

/** Not "basic authentication". */
function isCredential(scheme: string, value: string): boolean {
  if (/^bearer$/i.test(scheme)) return value.length >= 16 || /[\d._~+/=]/.test(value);
  if (value.endsWith("=")) return true;
  try {
    return value.length <= MAX_BASIC && atob(value.padEnd(Math.ceil(value.length / 4) * 4, "=")).includes(":");
  } catch {
    return false;
  }
}

const MAX_BASIC = 10_000;

/** As `shell.exec` takes it: a command line, or an argv. */
export function redactCommand(command: string | readonly string[]): string | string[] {
  return typeof command === "string" ? redactText(command) : redactWords(command);
}
