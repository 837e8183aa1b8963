/** Search methods: `grep` in tracked files or a revision, `blame` of a file. */
import type { Oid } from "../object/oid.ts";
import type { CallOptions } from "./call.ts";
import { type Engine, flag, paths } from "./engine.ts";
import { refuseOption } from "./log.ts";

export interface GrepOptions extends CallOptions {
  readonly pattern: string;
  /** Default "basic" regular expressions. */
  readonly syntax?: "basic" | "extended" | "fixed";
  readonly ignoreCase?: boolean;
  readonly word?: boolean;
  readonly revision?: string;
  readonly paths?: readonly string[];
}

export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export async function grep(engine: Engine, options: GrepOptions): Promise<GrepMatch[]> {
  const { pattern, syntax = "basic", ignoreCase, word, revision } = options;
  if (revision !== undefined) refuseOption(revision);
  const kind = syntax === "fixed" ? "-F" : syntax === "extended" ? "-E" : "-G";
  const flags = [kind, flag("-i", ignoreCase), flag("-w", word)];
  const { text } = await engine.run(
    [
      "grep",
      "-z",
      "-I",
      "-n",
      "--column",
      "--full-name",
      ...flags,
      "-e",
      pattern,
      revision,
      ...(options.paths ? paths(options.paths) : ["--"]),
    ],
    { expected: [0, 1] },
  );
  const skip = revision === undefined ? 0 : revision.length + 1;
  return text.split("\n").flatMap((line) => {
    const match = /^([^\0]*)\0(\d+):(\d+):(.*)$/s.exec(line);
    if (match === null) return [];
    const [, path, number, column, found] = match as unknown as [string, string, string, string, string];
    return [{ path: path.slice(skip), line: Number(number), column: Number(column), text: found }];
  });
}

export interface BlameOptions extends CallOptions {
  readonly path: string;
  readonly revision?: string;
  /** From 1, both included. */
  readonly lines?: { readonly first: number; readonly last: number };
}

export interface GitBlameLine {
  readonly line: number;
  readonly oid: Oid;
  readonly originalLine: number;
  readonly author: string;
  readonly seconds: number;
  readonly subject: string;
  readonly text: string;
}

export async function blame(engine: Engine, { path, revision, lines }: BlameOptions): Promise<GitBlameLine[]> {
  if (revision !== undefined) refuseOption(revision);
  const range = lines && `-L${lines.first},${lines.last}`;
  const { text } = await engine.run(["blame", "--line-porcelain", range, revision, "--", path]);
  const found: GitBlameLine[] = [];
  let fields: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const header = /^([0-9a-f]{40}) (\d+) (\d+)/.exec(line);
    if (header) fields = { oid: header[1] as string, original: header[2] as string, final: header[3] as string };
    else if (line.startsWith("\t")) found.push(blamed(fields, line.slice(1)));
    else {
      const space = line.indexOf(" ");
      if (space > 0) fields[line.slice(0, space)] = line.slice(space + 1);
    }
  }
  return found;
}

function blamed(fields: Readonly<Record<string, string>>, text: string): GitBlameLine {
  return {
    line: Number(fields.final),
    oid: fields.oid as Oid,
    originalLine: Number(fields.original),
    author: fields.author ?? "",
    seconds: Number(fields["author-time"] ?? 0),
    subject: fields.summary ?? "",
    text,
  };
}
