/** What `fs.grep` says, in the common shape. Lines are asked for twice, as hits and as messages, and must agree. */
import type { GrepHit, GrepResult } from "@workspace/protocol";
import type { FileSystem, GrepOptions, SearchableFileSystem } from "@workspace/vfs";
import { bytesOf, describeMessage, type LineData, type Message } from "./message.ts";
import { type Answer, contentOf, type Query, type Tree } from "./question.ts";

export const ROOT = "/workspace";

/** Codes by which a query, a path or a pattern is refused. */
const REFUSALS = ["EINVAL", "ENOENT", "ELOOP", "ENOTDIR"];
const EVERY_HIT = 1_000_000;
const EVERY_BYTE = 1 << 26;

export async function writeTree(fs: FileSystem, tree: Tree, root = ROOT): Promise<void> {
  await fs.mkdir(root, { recursive: true });
  await fs.writeMany(
    tree.map((entry) => {
      const path = `${root}/${entry.path}`;
      if ("target" in entry) return { path, type: "symlink" as const, target: entry.target };
      if ("directory" in entry) return { path, type: "dir" as const };
      return { path, content: contentOf(entry) };
    }),
  );
}

export async function runOurs(
  fs: SearchableFileSystem,
  { pattern, path, mode = "lines", ...flags }: Query,
  root = ROOT,
): Promise<Answer> {
  const pathOf = (full: string) => (full.startsWith(`${root}/`) ? full.slice(root.length + 1) : full);
  const options: GrepOptions = { maxHits: EVERY_HIT, maxBytesPerLine: EVERY_BYTE, maxFileBytes: EVERY_BYTE, ...flags };
  const ask = (as: GrepOptions["mode"]) => fs.grep(pattern, path ? `${root}/${path}` : root, { ...options, mode: as });
  try {
    if (mode === "names") return await namesAnswer(fs, path ? `${root}/${path}` : root, flags, pathOf);
    if (mode === "lines") return linesAnswer(await ask("json"), await ask("lines"), flags, pathOf);
    const { files, truncated } = await ask(mode);
    return {
      lines: files.map((file) => pathOf(file.path) + (mode === "count" ? `:${file.count}` : "")),
      truncated,
    };
  } catch (error) {
    const { code, message, stack } = error as Error & { code?: string };
    return REFUSALS.includes(code ?? "") ? { refused: message } : { crashed: stack ?? String(error) };
  }
}

/** `find` and `glob` walk as `grep` does. Hidden files are always `find`'s and never `glob`'s, whose order is its own. */
async function namesAnswer(
  fs: SearchableFileSystem,
  path: string,
  flags: Omit<Query, "pattern">,
  pathOf: (path: string) => string,
): Promise<Answer> {
  const ignore = flags.ignore !== false;
  const byFind = (await fs.find(path, { type: "file", ignore })).map((found) => pathOf(found.path));
  const byGlob: string[] = [];
  for (const name of await fs.glob("**", { cwd: path, ignore, dirs: false })) {
    if ((await fs.lstat(`${path}/${name}`)).isFile()) byGlob.push(pathOf(`${path}/${name}`));
  }
  const seen = byFind.filter((name) => !/(^|\/)\./.test(name));
  if (seen.sort().join("\n") !== byGlob.sort().join("\n")) {
    return { crashed: `find and glob disagree: ${JSON.stringify(seen)} and ${JSON.stringify(byGlob)}` };
  }
  return { lines: byFind };
}

function linesAnswer(
  asMessages: GrepResult,
  asHits: GrepResult,
  { maxHits }: Omit<Query, "pattern">,
  pathOf: (path: string) => string,
): Answer {
  const messages = asMessages.messages as unknown as Message[];
  const contradiction = disagreement(messages, asHits.hits);
  if (contradiction !== undefined) return { crashed: `hits and messages disagree: ${contradiction}` };
  const { stats, truncated } = asMessages;
  // Whether there is a NUL behind the last hit asked for, ripgrep is not asked.
  const reported = truncated && messages.at(-1)?.type === "end" ? messages.slice(0, -1) : messages;
  return {
    lines: reported.map((message) => describeMessage(message, pathOf)).filter((line) => line !== null),
    ...(maxHits === undefined && { searched: stats.filesSearched }),
    truncated,
  };
}

/** Hits are messages with text where bytes may be no text, and with their context inside. */
function disagreement(messages: readonly Message[], hits: readonly GrepHit[]): string | undefined {
  const reported = messages.flatMap(({ type, data }) =>
    type === "match" || type === "context" ? [{ match: type === "match", data }] : [],
  );
  // ripgrep tells the context of an empty match behind the last line, which is no hit.
  const matching = new Set(reported.filter(({ match }) => match).map(({ data }) => pathOf(data)));
  const inMessages = reported
    .filter(({ data }) => matching.has(pathOf(data)))
    .map(({ match, data }) => lossy(match, data));
  const inHits = hits.flatMap((hit) => [
    ...hit.before.map(({ line, text }) => `${hit.path}:${line}:C ${text}`),
    `${hit.path}:${hit.line}:M @${hit.offset} ${hit.ranges.map(({ start, end }) => `[${start},${end}]`).join("")} ${hit.text}`,
    ...hit.after.map(({ line, text }) => `${hit.path}:${line}:C ${text}`),
  ]);
  const at = inMessages.findIndex((line, index) => line !== inHits[index]);
  if (at >= 0) return `${JSON.stringify(inMessages[at])} as a message, ${JSON.stringify(inHits[at])} as a hit`;
  if (inHits.length > inMessages.length) return `${JSON.stringify(inHits[inMessages.length])} only as a hit`;
  const wrong = hits.find((hit) => hit.column !== (hit.ranges[0]?.start ?? 0) + 1);
  return wrong && `column ${wrong.column} of ${JSON.stringify(wrong)}`;
}

function lossy(match: boolean, data: LineData): string {
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
    .decode(bytesOf(data.lines))
    .replace(/\n$/, () => "");
  const ranges = data.submatches.map(({ start, end }) => `[${start},${end}]`).join("");
  return `${pathOf(data)}:${data.line_number}:${match ? `M @${data.absolute_offset} ${ranges}` : "C"} ${text}`;
}

function pathOf({ path }: LineData): string {
  return (path as { text: string }).text;
}
