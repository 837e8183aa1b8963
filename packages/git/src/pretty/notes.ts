/** The note of a commit: a blob in the tree of a notes ref, under the commit's id, which may be split into directories. */
import { parseCommit } from "../object/commit.ts";
import { isTreeMode } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { parseTree } from "../object/tree.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";

export interface Notes {
  readonly ref: string;
  read(oid: Oid): Promise<string | null>;
}

/** Null: no such ref. */
export async function openNotes(repo: Repository, ref: string): Promise<Notes | null> {
  const found = await repo.refs.resolve(ref);
  if (found?.oid == null) return null;
  const commit = await repo.odb.read(found.oid);
  if (commit?.type !== "commit") return null;
  const { tree } = parseCommit(commit.body);
  return { ref, read: (oid) => readNote(repo, tree, oid) };
}

async function readNote({ odb }: Repository, tree: Oid, name: string): Promise<string | null> {
  let rest = name;
  let at: Oid = tree;
  while (rest !== "") {
    const entries = parseTree((await odb.need(at, "tree")).body);
    const note = entries.find((entry) => entry.name === rest && !isTreeMode(entry.mode));
    if (note !== undefined) return decode((await odb.need(note.oid, "blob")).body);
    const folder = entries.find((entry) => isTreeMode(entry.mode) && entry.name === rest.slice(0, 2));
    if (folder === undefined) return null;
    at = folder.oid;
    rest = rest.slice(2);
  }
  return null;
}

/** Formats a note as `git log` shows it below the message: "Notes:" for the default ref, "Notes (name):" for another. */
export function formatNote(ref: string, text: string, raw: boolean): string {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (raw) return `${body}\n`;
  const name = ref.replace(/^refs\/notes\//, () => "");
  const title = name === "commits" ? "\nNotes:\n" : `\nNotes (${name}):\n`;
  return `${title}${body
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("")}`;
}
