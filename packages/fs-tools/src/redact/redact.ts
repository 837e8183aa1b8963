/**
 * Redaction of tool arguments for the audit log: keeps enough to know what was done, removes secrets and file contents. It first
 * redacts by structure: fields that are bodies or secrets, whatever they hold. Then it redacts text that looks like a secret.
 */
import { redactText } from "./redact-text.ts";
import { redactWords } from "./redact-words.ts";
import { REDACTED } from "./redacted.ts";
import { isSecretName, isWeakSecretName } from "./secret-names.ts";

/** Contents of files, messages and requests: logged as a length. */
const BODY_NAMES = new Set([
  ...["content", "contents", "patch", "input", "diff", "body", "data", "text", "stdin", "html"],
  ...["newText", "oldText", "newString", "oldString", "new_string", "old_string", "file_text", "new_str", "old_str"],
  ...["insert_text", "message", "messages", "task", "prompt"],
]);
/** Their names are logged, their values are not. */
const VALUE_NAMES = new Set(["env", "environment", "headers", "cookies"]);
/** Longer texts are examined up to here: the logged text is much shorter. */
const MAX_LOOKED = 65_536;
const MAX_TEXT = 500;
const MAX_TOTAL = 4000;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;

export function redact(input: unknown): string {
  const text = asText(input);
  return text.length > MAX_TOTAL ? `${text.slice(0, MAX_TOTAL)}…` : text;
}

/** An unreadable value (a getter or a proxy that throws) must not prevent the audit record. */
function asText(input: unknown): string {
  try {
    return JSON.stringify(clean(given(input), "", 0)) ?? "null";
  } catch {
    return '"[unreadable]"';
  }
}

/** Arguments may be JSON; any other text is a body, such as a patch. */
function given(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    const parsed: unknown = input.length > MAX_LOOKED ? null : JSON.parse(input);
    if (typeof parsed === "object" && parsed !== null) return parsed;
  } catch {
    // Not JSON.
  }
  return `[${input.length} characters]`;
}

function shortName(name: string): string {
  return shortened(redactText(name.slice(0, MAX_TEXT)));
}

type SecretKind = "secret" | "body" | "values" | "other";

/** Caches the kind of each name; tools have few names. */
const kinds = new Map<string, SecretKind>();
const MAX_KINDS = 500;
const MAX_CACHED_NAME = 64;

function secretKind(name: string): SecretKind {
  let kind = kinds.get(name);
  if (kind !== undefined) return kind;
  if (VALUE_NAMES.has(name)) kind = "values";
  else if (isSecretName(name) || isWeakSecretName(name)) kind = "secret";
  else kind = BODY_NAMES.has(name) ? "body" : "other";
  if (kinds.size < MAX_KINDS && name.length <= MAX_CACHED_NAME) kinds.set(name, kind);
  return kind;
}

function clean(value: unknown, name: string, depth: number): unknown {
  const kind = secretKind(name);
  if (kind === "secret") return REDACTED;
  if (typeof value === "string") {
    if (kind === "values") return REDACTED;
    return kind === "body" ? `[${value.length} characters]` : shortened(redactText(value.slice(0, MAX_LOOKED)));
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[…]";
  if (Array.isArray(value)) return cleanList(value.slice(0, MAX_ENTRIES), name, kind, depth);
  const result: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (result.length >= MAX_ENTRIES) break;
    result.push([shortName(key), kind === "values" ? REDACTED : clean(item, key, depth + 1)]);
  }
  return Object.fromEntries(result);
}

/** Strings are checked as the words of a command: a secret may follow its option. */
function cleanList(list: unknown[], name: string, kind: SecretKind, depth: number): unknown[] {
  if (kind !== "other" || !list.every((item) => typeof item === "string"))
    return list.map((item) => clean(item, name, depth + 1));
  return redactWords(list.map((item) => item.slice(0, MAX_LOOKED))).map(shortened);
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
