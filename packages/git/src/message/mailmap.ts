/** `.mailmap`: preferred names and addresses, looked up case-insensitively by those in commits. */

import { expandUser } from "../config/config-value.ts";
import { parseCommit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import { parseTree } from "../object/tree.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";

interface MailmapQuery {
  name?: string;
  email?: string;
}

interface Mapping extends MailmapQuery {
  /** By the name in the commit, if the address alone does not decide. */
  readonly byName: Map<string, MailmapQuery>;
}

export interface Mailmap {
  map(name: string, email: string): { name: string; email: string };
}

export function parseMailmap(texts: readonly string[]): Mailmap {
  const mappings = new Map<string, Mapping>();
  for (const text of texts) for (const line of text.split(/\r?\n/)) addLine(mappings, line);
  return {
    map(name, email) {
      const mapping = mappings.get(email.toLowerCase());
      const wanted = mapping?.byName.get(name.toLowerCase()) ?? mapping;
      return { name: wanted?.name ?? name, email: wanted?.email ?? email };
    },
  };
}

function addLine(mappings: Map<string, Mapping>, line: string): void {
  if (line.startsWith("#")) return;
  const first = takePerson(line, false);
  if (first === null) return;
  const second = takePerson(first.rest, true);
  const wanted: MailmapQuery = {};
  if (first.name !== "") wanted.name = first.name;
  if (second !== null) wanted.email = first.email;
  const key = (second?.email ?? first.email).toLowerCase();
  const mapping = mappings.get(key) ?? { byName: new Map() };
  mappings.set(key, mapping);
  if (second === null || second.name === "") Object.assign(mapping, wanted);
  else {
    const name = second.name.toLowerCase();
    mapping.byName.set(name, { ...mapping.byName.get(name), ...wanted });
  }
}

function takePerson(text: string, mayBeEmpty: boolean): { name: string; email: string; rest: string } | null {
  const open = text.indexOf("<");
  const close = text.indexOf(">", open + 1);
  if (open < 0 || close < 0 || (!mayBeEmpty && close === open + 1)) return null;
  return { name: text.slice(0, open).trim(), email: text.slice(open + 1, close), rest: text.slice(close + 1) };
}

/** The work tree's, then `mailmap.blob` (in a bare repository HEAD's own), then `mailmap.file`. */
export async function loadMailmap(repo: Repository): Promise<Mailmap> {
  const { config, fs, workTree } = repo;
  const texts: string[] = [];
  if (workTree !== null) {
    // Not through a link, which could lead anywhere.
    const stat = await fs.lstat(`${workTree}/.mailmap`).catch(() => null);
    if (stat?.type === "file") texts.push(await fs.readFile(`${workTree}/.mailmap`, "utf8"));
  }
  const blob = config.get("mailmap.blob") ?? (workTree === null ? "HEAD:.mailmap" : undefined);
  if (blob !== undefined) texts.push((await readBlob(repo, blob)) ?? "");
  const file = config.get("mailmap.file");
  if (file !== undefined) {
    const path = expandUser(file, repo.env.HOME);
    const [bytes] = await fs.readMany([path.startsWith("/") ? path : `${workTree ?? repo.gitDir}/${path}`]);
    if (bytes) texts.push(decode(bytes));
  }
  return parseMailmap(texts);
}

/** A ref or id with a path, the usual form of the setting. */
async function readBlob(repo: Repository, name: string): Promise<string | null> {
  const colon = name.indexOf(":");
  const [rev, path] = colon < 0 ? [name, ""] : [name.slice(0, colon), name.slice(colon + 1)];
  const found = await resolveRef(repo, rev);
  if (found === null) return null;
  let object = await repo.odb.read(found);
  for (const part of path.split("/").filter((piece) => piece !== "")) {
    if (object?.type === "commit") object = await repo.odb.read(parseCommit(object.body).tree);
    const entry = object?.type === "tree" ? parseTree(object.body).find((one) => one.name === part) : undefined;
    object = entry === undefined ? null : await repo.odb.read(entry.oid);
  }
  return object?.type === "blob" ? decode(object.body) : null;
}

async function resolveRef({ refs }: Repository, name: string): Promise<Oid | null> {
  for (const full of [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`]) {
    const found = await refs.resolve(full).catch(() => null);
    if (found?.oid) return found.oid;
  }
  return null;
}
