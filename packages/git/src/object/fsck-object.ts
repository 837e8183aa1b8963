/**
 * Finds an object's errors by git's rules, each with git's name for it. Uses the content alone: nothing else is read.
 */

import type { ObjectType } from "../odb/object-database.ts";
import { decode } from "../text/bytes.ts";
import { parseOid, ZERO_OID } from "./oid.ts";
import { compareTreeEntries, parseTree, type TreeEntry } from "./tree.ts";

export interface FsckMessage {
  readonly level: "error" | "warning";
  /** "treeNotSorted" */
  readonly id: string;
  readonly text: string;
}

/** `strict`: warnings are errors, and mode 100664 is invalid. `isTagName`: validates the name of a tag. */
export function fsckObject(
  type: ObjectType,
  body: Uint8Array,
  strict: boolean,
  isTagName: (name: string) => boolean = () => true,
): FsckMessage[] {
  if (type === "tree") return fsckTree(body, strict);
  if (type === "commit") return fsckCommit(body, strict);
  if (type === "tag") return fsckTag(body, isTagName);
  return [];
}

const error = (id: string, text: string): FsckMessage => ({ level: "error", id, text });
const MODES = [0o100755, 0o100644, 0o120000, 0o40000, 0o160000];

function fsckTree(body: Uint8Array, strict: boolean): FsckMessage[] {
  let entries: TreeEntry[];
  try {
    entries = parseTree(body);
  } catch {
    return [error("badTree", "cannot be parsed as a tree")];
  }
  const warn = (id: string, text: string): FsckMessage => ({ level: strict ? "error" : "warning", id, text });
  const has = (test: (entry: TreeEntry, i: number) => boolean) => entries.some(test);
  const faults: FsckMessage[] = [];
  if (has(({ oid }) => oid === ZERO_OID)) faults.push(warn("nullSha1", "contains entries pointing to null sha1"));
  if (has(({ name }) => name.includes("/"))) faults.push(warn("fullPathname", "contains full pathnames"));
  if (has(({ name }) => name === ".")) faults.push(warn("hasDot", "contains '.'"));
  if (has(({ name }) => name === "..")) faults.push(warn("hasDotdot", "contains '..'"));
  if (has(({ name }) => name.split("\\").some(isDotGit))) faults.push(warn("hasDotgit", "contains '.git'"));
  if (hasPaddedMode(body)) faults.push(warn("zeroPaddedFilemode", "contains zero-padded file modes"));
  if (has(({ mode }) => !MODES.includes(mode) && (strict || mode !== 0o100664)))
    faults.push({ level: "warning", id: "badFilemode", text: "contains bad file modes" });
  if (new Set(entries.map(({ name }) => name)).size < entries.length)
    faults.push(error("duplicateEntries", "contains duplicate file entries"));
  if (has((entry, i) => i > 0 && compareTreeEntries(entries[i - 1] as TreeEntry, entry) > 0))
    faults.push(error("treeNotSorted", "not properly sorted"));
  return faults;
}

/** As file systems that fold case or shorten names would see it. */
function isDotGit(name: string): boolean {
  return /^(\.git|git~1)[ .]*(:|$)/i.test(name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, () => ""));
}

function hasPaddedMode(body: Uint8Array): boolean {
  for (let at = 0; at >= 0 && at < body.length; ) {
    if (body[at] === 0x30) return true;
    const end = body.indexOf(0, at);
    at = end < 0 ? -1 : end + 21;
  }
  return false;
}

function fsckCommit(body: Uint8Array, strict: boolean): FsckMessage[] {
  const lines = headerLines(body);
  if (!Array.isArray(lines)) return [lines];
  let at = 0;
  if (!lines[at]?.startsWith("tree ")) return [error("missingTree", "invalid format - expected 'tree' line")];
  if (parseOid((lines[at++] as string).slice(5)) === null)
    return [error("badTreeSha1", "invalid 'tree' line format - bad sha1")];
  for (; lines[at]?.startsWith("parent "); at++)
    if (parseOid((lines[at] as string).slice(7)) === null)
      return [error("badParentSha1", "invalid 'parent' line format - bad sha1")];
  if (!lines[at]?.startsWith("author ")) return [error("missingAuthor", "invalid format - expected 'author' line")];
  const author = fsckIdentity((lines[at++] as string).slice(7));
  if (author !== null) return [author];
  if (lines[at]?.startsWith("author ")) return [error("multipleAuthors", "invalid format - multiple 'author' lines")];
  if (!lines[at]?.startsWith("committer "))
    return [error("missingCommitter", "invalid format - expected 'committer' line")];
  const committer = fsckIdentity((lines[at] as string).slice(10));
  if (committer !== null) return [committer];
  if (!body.includes(0)) return [];
  return [{ level: strict ? "error" : "warning", id: "nulInCommit", text: "NUL byte in the commit object body" }];
}

function fsckIdentity(text: string): FsckMessage | null {
  const bad = (id: string, what: string) => error(id, `invalid author/committer line - ${what}`);
  if (text.startsWith("<")) return bad("missingNameBeforeEmail", "missing space before email");
  const open = text.search(/[<>]/);
  if (text[open] === ">") return bad("badName", "bad name");
  if (open < 0) return bad("missingEmail", "missing email");
  if (text[open - 1] !== " ") return bad("missingSpaceBeforeEmail", "missing space before email");
  const rest = text.slice(open + 1);
  const close = rest.search(/[<>]/);
  if (rest[close] !== ">") return bad("badEmail", "bad email");
  const date = rest.slice(close + 1);
  if (!date.startsWith(" ")) return bad("missingSpaceBeforeDate", "missing space before date");
  if (/^ 0[^ ]/.test(date)) return bad("zeroPaddedDate", "zero-padded date");
  if (!/^ \d+ /.test(date)) return bad("badDate", "bad date");
  if (Number.parseInt(date, 10) > Number.MAX_SAFE_INTEGER)
    return bad("badDateOverflow", "date causes integer overflow");
  return /^ \d+ [+-]\d{4}$/.test(date) ? null : bad("badTimezone", "bad time zone");
}

function fsckTag(body: Uint8Array, isTagName: (name: string) => boolean): FsckMessage[] {
  const lines = headerLines(body);
  if (!Array.isArray(lines)) return [lines];
  const expected = (id: string, name: string) => [error(id, `invalid format - expected '${name}' line`)];
  if (!lines[0]?.startsWith("object ")) return expected("missingObject", "object");
  if (parseOid(lines[0].slice(7)) === null) return [error("badObjectSha1", "invalid 'object' line format - bad sha1")];
  if (!lines[1]?.startsWith("type ")) return expected("missingTypeEntry", "type");
  if (!/^type (commit|tree|blob|tag)$/.test(lines[1])) return [error("badType", "invalid 'type' value")];
  if (!lines[2]?.startsWith("tag ")) return expected("missingTagEntry", "tag");
  const name = lines[2].slice(4);
  const faults: FsckMessage[] = [];
  if (!isTagName(name)) faults.push({ level: "warning", id: "badTagName", text: `invalid 'tag' name: ${name}` });
  const tagger = lines[3]?.startsWith("tagger ") ? fsckIdentity(lines[3].slice(7)) : NO_TAGGER;
  return tagger === null ? faults : [...faults, tagger];
}

const NO_TAGGER: FsckMessage = {
  level: "warning",
  id: "missingTaggerEntry",
  text: "invalid format - expected 'tagger' line",
};

/** A fault: there is no empty line behind them, and they do not end with one, or a NUL is among them. */
function headerLines(body: Uint8Array): string[] | FsckMessage {
  const text = decode(body);
  const end = text.indexOf("\n\n");
  const nul = body.indexOf(0);
  if (nul >= 0 && (end < 0 || nul < end)) return error("nulInHeader", `unterminated header: NUL at offset ${nul}`);
  if (end < 0 && !text.endsWith("\n")) return error("unterminatedHeader", "unterminated header");
  return text.slice(0, end < 0 ? text.length - 1 : end).split("\n");
}
