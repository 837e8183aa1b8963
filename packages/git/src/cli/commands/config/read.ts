/** The reading half of `git config`. */
import { canonicalKey, parseConfigKey } from "../../../config/config-key.ts";
import { parseBool } from "../../../config/config-value.ts";
import type { ConfigEntry } from "../../../config/git-config.ts";
import { GitError } from "../../../errors.ts";
import { compileRegex } from "../../../regex/compile-regex.ts";
import type { ConfigRequest } from "./config.ts";
import { displayValue, readColor } from "./config-type.ts";

export async function listValues(request: ConfigRequest): Promise<number> {
  const { entries, missing } = await request.source.read();
  if (missing !== null) throw new GitError("ENOTFOUND", missing);
  for (const entry of entries) print(request, entry, true, "=");
  return 0;
}

export async function getValues(request: ConfigRequest, action: "get" | "getAll" | "getRegexp"): Promise<number> {
  const [name = "", pattern] = request.words;
  const matchesKey = action === "getRegexp" ? keyPattern(name) : exactKey(name);
  const matchesValue = valuePattern(pattern, request.fixedValue);
  const { entries } = await request.source.read();
  let found = entries.filter(({ key, value }) => matchesKey(key) && matchesValue(value));
  if (found.length === 0 && request.byDefault !== undefined) {
    found = [{ key: canonicalKey(name), value: request.byDefault, scope: "command", file: null }];
  }
  if (action === "get") found = found.slice(-1);
  for (const entry of found) print(request, entry, action === "getRegexp", " ");
  return found.length > 0 ? 0 : 1;
}

function exactKey(name: string): (key: string) => boolean {
  let wanted: string;
  try {
    wanted = parseConfigKey(name).key;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new GitError("EINVAL", error.message, { prefix: "error", exitCode: 1 });
  }
  return (key) => key === wanted;
}

function keyPattern(text: string): (key: string) => boolean {
  try {
    const regex = compileRegex(canonicalKey(text), { syntax: "extended" });
    return (key) => regex.test(key);
  } catch {
    throw new GitError("EINVAL", `invalid key pattern: ${text}`, { prefix: "error", exitCode: 6 });
  }
}

/** Compiles a value pattern; with a leading "!", it matches the values that do not match the rest. */
export function valuePattern(text: string | undefined, fixed: boolean): (value: string | null) => boolean {
  if (text === undefined) return () => true;
  if (fixed) return (value) => (value ?? "") === text;
  const negated = text.startsWith("!");
  try {
    const regex = compileRegex(negated ? text.slice(1) : text, { syntax: "extended" });
    return (value) => regex.test(value ?? "") !== negated;
  } catch {
    throw new GitError("EINVAL", `invalid pattern: ${text}`, { prefix: "error", exitCode: 6 });
  }
}

function print(request: ConfigRequest, entry: ConfigEntry, withKey: boolean, delimiter: string): void {
  const { context, nul, nameOnly, showOrigin, showScope, type, source } = request;
  const end = nul ? "\0" : "\t";
  let line = "";
  if (showScope) line += `${entry.scope}${end}`;
  if (showOrigin) line += `${formatOrigin(entry, source.origin, nul)}${end}`;
  if (withKey) line += entry.key;
  if (!nameOnly && !(withKey && entry.value === null && type === null)) {
    const value = typedValue(request, entry);
    line += withKey ? `${nul ? "\n" : delimiter}${value}` : value;
  }
  context.out(`${line}${nul ? "\0" : "\n"}`);
}

/** The error for an invalid value names the file and line. */
function typedValue({ context, type, source, byDefault }: ConfigRequest, entry: ConfigEntry): string {
  const { file, line = 0 } = entry;
  try {
    return displayValue(context, type, entry.key, entry.value, file === null ? "" : ` in file ${file}`);
  } catch (error) {
    if (!(error instanceof GitError) || error.prefix !== "error") throw error;
    const position = file === null ? "standard input" : `${source.origin === "blob" ? "blob" : "file"} ${file}`;
    let where = line > 0 ? `bad config line ${line} in ${position}` : "unable to parse command-line config";
    if (entry.value === byDefault && file === null) where = `failed to format default config value: ${byDefault}`;
    throw new GitError("EINVAL", `${error.message}\nfatal: ${where}`, { prefix: "error" });
  }
}

function formatOrigin({ file }: ConfigEntry, origin: string, nul: boolean): string {
  if (file === null) return origin === "file" ? "command line:" : `${origin}:`;
  const kind = origin === "blob" ? "blob" : "file";
  return `${kind}:${nul ? file : quotedPath(file)}`;
}

/** Quoted as a C string if necessary. */
function quotedPath(path: string): string {
  if (!/[\x00-\x1f\x7f"\\]|[^\x00-\x7f]/.test(path)) return path;
  let text = "";
  for (const byte of new TextEncoder().encode(path)) {
    const c = String.fromCharCode(byte);
    if (c === '"' || c === "\\") text += `\\${c}`;
    else if (c === "\t") text += "\\t";
    else if (c === "\n") text += "\\n";
    else if (byte < 32 || byte > 126) text += `\\${byte.toString(8).padStart(3, "0")}`;
    else text += c;
  }
  return `"${text}"`;
}

export async function getColor(request: ConfigRequest): Promise<number> {
  const [slot = "", byDefault] = request.words;
  const { entries } = await request.source.read();
  const entry = entries.findLast(({ key }) => key === canonicalKey(slot));
  if (entry !== undefined) request.context.out(typedValue({ ...request, type: "color" }, entry));
  else if (byDefault !== undefined) request.context.out(readColor(byDefault, "unable to parse default color value"));
  return 0;
}

/** Without a second argument the result is the exit code. Output here is never a terminal. */
export async function getColorBool({ words, source, context }: ConfigRequest): Promise<number> {
  const [slot = "", terminal] = words;
  const { entries } = await source.read();
  const last = (name: string) => entries.findLast(({ key }) => key === canonicalKey(name))?.value;
  const value =
    last(slot) ?? (canonicalKey(slot) === "color.diff" ? last("diff.color") : undefined) ?? last("color.ui") ?? "auto";
  const dumb = (context.env.TERM ?? "dumb") === "dumb";
  const isTerminal = terminal !== undefined && parseBool(terminal) === true && !dumb;
  const on = value === "always" || ((value === "auto" || parseBool(value) === true) && isTerminal);
  if (terminal === undefined) return on ? 0 : 1;
  context.out(`${on}\n`);
  return 0;
}

/** The value of the section whose URL matches best: the host with the fewest "*", then the longest path, then a user name. */
export async function getUrlMatch(request: ConfigRequest): Promise<number> {
  const [name = "", url = ""] = request.words;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    throw new GitError("EINVAL", "invalid URL scheme name or missing '://' suffix");
  }
  const [section = "", variable] = canonicalKey(name).split(".");
  const { entries } = await request.source.read();
  const best = new Map<string, { entry: ConfigEntry; score: number }>();
  for (const entry of entries) {
    const last = entry.key.lastIndexOf(".");
    const first = entry.key.indexOf(".");
    if (entry.key.slice(0, first) !== section) continue;
    const own = entry.key.slice(last + 1);
    if (variable !== undefined && own !== variable) continue;
    const score = first === last ? 0 : urlScore(entry.key.slice(first + 1, last), url);
    if (score < 0) continue;
    const before = best.get(own);
    if (!before || score >= before.score) best.set(own, { entry, score });
  }
  for (const [own, { entry }] of [...best].sort(([a], [b]) => (a < b ? -1 : 1))) {
    print(request, { ...entry, key: `${section}.${own}` }, variable === undefined, " ");
  }
  return best.size > 0 ? 0 : 1;
}

/** -1: no match. */
function urlScore(pattern: string, url: string): number {
  const parse = (text: string) => /^([a-z][a-z0-9+.-]*):\/\/(?:([^/@]*)@)?([^/:]*)(?::(\d+))?(\/.*)?$/i.exec(text);
  const [a, b] = [parse(pattern), parse(url)];
  if (!a || !b) return -1;
  const port = (match: RegExpExecArray) =>
    match[4] ?? { http: "80", https: "443" }[(match[1] as string).toLowerCase()] ?? "";
  if ((a[1] as string).toLowerCase() !== (b[1] as string).toLowerCase() || port(a) !== port(b)) return -1;
  if (a[2] !== undefined && a[2] !== b[2]) return -1;
  const [hostA, hostB] = [(a[3] as string).toLowerCase().split("."), (b[3] as string).toLowerCase().split(".")];
  if (hostA.length !== hostB.length || hostA.some((part, i) => part !== "*" && part !== hostB[i])) return -1;
  const path = (a[5] ?? "/").replace(/\/?$/, "/");
  if (!`${(b[5] ?? "/").replace(/\/?$/, "/")}`.startsWith(path)) return -1;
  const named = hostA.join("").replaceAll("*", "").length;
  return 1 + named * 1_000_000 + path.length * 2 + (a[2] !== undefined ? 1 : 0);
}
