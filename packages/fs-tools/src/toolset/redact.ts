/** Arguments for the audit log: enough to know what was done, without secrets and without the files themselves. */
const SECRET_NAME = /token|secret|passw|authorization|api_?-?key|cookie|credential|private/i;
const SECRET_TEXT: readonly [RegExp, (...groups: string[]) => string][] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, (_, scheme) => `${scheme} [redacted]`],
  [/(:\/\/)[^\s/@:]+:[^\s/@]+@/g, (_, start) => `${start}[redacted]@`],
  [
    /\b((?:[\w-]*(?:token|secret|passw(?:or)?d|api[_-]?key)[\w-]*)\s*[=:]\s*)("[^"]*"|'[^']*'|\S+)/gi,
    (_, name) => `${name}[redacted]`,
  ],
  [/\b(sk|pk|ghp|gho|ghs|github_pat|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{12,}/g, () => "[redacted]"],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, () => "[redacted]"],
];
/** What files are made of: kept as a length. */
const BODY_NAMES = new Set([
  "content",
  "patch",
  "newText",
  "oldText",
  "newString",
  "oldString",
  "file_text",
  "new_str",
  "old_str",
  "insert_text",
  "message",
  "task",
  "diff",
]);
/** None of the patterns matches a text without one of these; a path or an address is told apart by one look. */
const MAY_HOLD_SECRET = /@|token|secret|passw|api[_-]?key|bearer|basic|sk|pk|gh[pos]|github_pat|xox|akia|BEGIN/i;
const MAX_TEXT = 500;
/** Looked through; what is behind is cut off anyway, and patterns over megabytes would take their time. */
const MAX_LOOKED = 8 * MAX_TEXT;
const MAX_TOTAL = 4000;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;

export function redact(input: unknown): string {
  const text = asText(input);
  return text.length > MAX_TOTAL ? `${text.slice(0, MAX_TOTAL)}…` : text;
}

/** What cannot be read (a getter or a proxy that throws) must not keep the call from being recorded. */
function asText(input: unknown): string {
  try {
    return flat(input) ?? JSON.stringify(clean(input, "", 0)) ?? "null";
  } catch {
    return '"[unreadable]"';
  }
}

/** Most inputs are an object of a few texts, numbers and switches: written as they are looked at. Null: this one is not. */
function flat(input: unknown): string | null {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null;
  let text = "";
  let count = 0;
  for (const name of Object.keys(input)) {
    const value = (input as Record<string, unknown>)[name];
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
    if (++count > MAX_ENTRIES) return null;
    text += `${text === "" ? "{" : ","}${quoted(name)}:${JSON.stringify(clean(value, name, 1))}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

/** Names are few. */
const quotedNames = new Map<string, string>();

function quoted(name: string): string {
  let text = quotedNames.get(name);
  if (text !== undefined) return text;
  text = JSON.stringify(name);
  if (quotedNames.size < MAX_KINDS) quotedNames.set(name, text);
  return text;
}

/** The few names that tools have are looked at once. */
const kinds = new Map<string, "secret" | "body" | "other">();
const MAX_KINDS = 500;

function kindOf(name: string): "secret" | "body" | "other" {
  let kind = kinds.get(name);
  if (kind !== undefined) return kind;
  kind = SECRET_NAME.test(name) ? "secret" : BODY_NAMES.has(name) ? "body" : "other";
  if (kinds.size < MAX_KINDS) kinds.set(name, kind);
  return kind;
}

function clean(value: unknown, name: string, depth: number): unknown {
  const kind = kindOf(name);
  if (kind === "secret") return "[redacted]";
  if (typeof value === "string") {
    if (kind === "body") return `[${value.length} characters]`;
    const safe = withoutSecrets(value.length > MAX_LOOKED ? value.slice(0, MAX_LOOKED) : value);
    return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}…` : safe;
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[…]";
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => clean(item, name, depth + 1));
  const result: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (result.length >= MAX_ENTRIES) break;
    result.push([key, clean(item, key, depth + 1)]);
  }
  return Object.fromEntries(result);
}

function withoutSecrets(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  return SECRET_TEXT.reduce((rest, [pattern, replace]) => rest.replace(pattern, replace), text);
}
