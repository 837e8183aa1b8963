/** The header of a file in a patch: git's with modes, renames and object ids, or two lines with names. */

import { gitHeaderName, hasEpochTime, headerName, isDevNull, unquote } from "./file-name.ts";
import { type FilePatch, PatchError } from "./file-patch.ts";
import type { PatchReader } from "./patch-reader.ts";

export type Header = Omit<FilePatch, "hunks" | "binary" | "added" | "removed">;

interface HeaderDraft {
  oldName: string | null;
  newName: string | null;
  oldMode: number;
  newMode: number;
  isNew: boolean;
  isDelete: boolean;
  isRename: boolean;
  isCopy: boolean;
  score: number;
  oldId: string | null;
  newId: string | null;
}

/** Starts at "diff --git"; ends at the first line after the header. Null: nothing follows. */
export function parseGitHeader(reader: PatchReader, strip: number): Header | null {
  const name = gitHeaderName(reader.text().slice("diff --git ".length), strip)?.split("\0", 1)[0] || null;
  const draft: HeaderDraft = {
    oldName: null,
    newName: null,
    oldMode: 0,
    newMode: 0,
    isNew: false,
    isDelete: false,
    isRename: false,
    isCopy: false,
    score: 0,
    oldId: null,
    newId: null,
  };
  const start = reader.at;
  reader.skip();
  const after = reader.at;
  let firstKind = 0;
  while (!reader.isAtEnd && takeLine(reader, draft, name, strip)) {
    const kinds = [draft.isNew, draft.isDelete, draft.isRename, draft.isCopy].filter(Boolean).length;
    if (kinds > 1) throw new PatchError(`inconsistent header lines ${firstKind} and ${reader.line}`, reader.line);
    if (kinds === 1) firstKind ||= reader.line;
    reader.skip();
  }
  if (reader.at === after && reader.at >= reader.bytes.length && start === 0) return null;
  if (draft.oldName === null && draft.newName === null) {
    if (name === null) {
      throw new PatchError(
        `git diff header lacks filename information when removing ${strip} leading pathname component${strip === 1 ? "" : "s"} (line ${reader.line})`,
        reader.line,
      );
    }
    draft.oldName = draft.isNew ? null : name;
    draft.newName = draft.isDelete ? null : name;
  }
  if ((draft.newName === null && !draft.isDelete) || (draft.oldName === null && !draft.isNew)) {
    throw new PatchError(`git diff header lacks filename information (line ${reader.line})`, reader.line);
  }
  return { ...draft, isGit: true };
}

/** False: the header has ended. */
function takeLine(reader: PatchReader, draft: HeaderDraft, name: string | null, strip: number): boolean {
  const text = reader.text();
  const value = (prefix: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : null);
  const bad = (what: string) => new PatchError(`git apply: bad git-diff - ${what} on line ${reader.line}`, reader.line);
  const mode = (word: string) => {
    if (!/^[0-7]{1,6}\s*$/.test(word)) {
      // git's message quotes everything from there on.
      const rest = new TextDecoder().decode(reader.bytes.subarray(reader.endOf() - word.length - 1));
      throw new PatchError(`invalid mode on line ${reader.line}: ${rest}`, reader.line);
    }
    return Number.parseInt(word, 8);
  };
  let rest = value("@@ -");
  if (rest !== null) return false;
  if ((rest = value("--- ")) !== null) {
    draft.oldName = checked(rest, draft.isNew, draft.oldName, "old", strip, bad) ?? draft.oldName;
    return true;
  }
  if ((rest = value("+++ ")) !== null) {
    draft.newName = checked(rest, draft.isDelete, draft.newName, "new", strip, bad) ?? draft.newName;
    return true;
  }
  if ((rest = value("old mode ")) !== null) draft.oldMode = mode(rest);
  else if ((rest = value("new mode ")) !== null) draft.newMode = mode(rest);
  else if ((rest = value("deleted file mode ")) !== null) {
    draft.isDelete = true;
    draft.oldName ??= name;
    draft.oldMode = mode(rest);
  } else if ((rest = value("new file mode ")) !== null) {
    draft.isNew = true;
    draft.newName ??= name;
    draft.newMode = mode(rest);
  } else if ((rest = value("copy from ") ?? value("rename from ") ?? value("rename old ")) !== null) {
    draft.oldName = plainName(rest, strip);
    if (text.startsWith("copy")) draft.isCopy = true;
    else draft.isRename = true;
  } else if ((rest = value("copy to ") ?? value("rename to ") ?? value("rename new ")) !== null) {
    draft.newName = plainName(rest, strip);
    if (text.startsWith("copy")) draft.isCopy = true;
    else draft.isRename = true;
  } else if ((rest = value("similarity index ") ?? value("dissimilarity index ")) !== null) {
    const score = Number.parseInt(rest, 10);
    if (score >= 0 && score <= 100) draft.score = score;
  } else if ((rest = value("index ")) !== null) {
    const match = /^([0-9a-f]{1,64})\.\.([0-9a-f]{1,64})(?: ([0-7]+))?/.exec(rest);
    if (match) {
      draft.oldId = match[1] as string;
      draft.newId = match[2] as string;
      if (match[3] !== undefined) draft.oldMode = Number.parseInt(match[3], 8);
    }
  } else return false;
  return true;
}

/** These names have no "a/" prefix. */
function plainName(text: string, strip: number): string | null {
  return headerName(unquote(text) ? text : `${text}\t`, strip > 0 ? strip - 1 : 0);
}

function checked(
  text: string,
  isNull: boolean,
  known: string | null,
  side: "old" | "new",
  strip: number,
  bad: (what: string) => PatchError,
): string | null {
  if (known === null && !isNull) return isDevNull(text) ? null : headerName(text, strip);
  if (known !== null && !isNull) {
    if (headerName(text, strip) !== known) throw bad(`inconsistent ${side} filename`);
    return null;
  }
  if (known !== null) throw bad(`expected /dev/null, got ${known}`);
  if (!isDevNull(text)) throw bad("expected /dev/null");
  return null;
}

/**
 * Number of directories to strip from names, detected as git does without `-p`: the first plain patch that shows it decides for all
 * later ones; until then it is 1. Shared by the patches of one command.
 */
export interface StripGuess {
  /** Directory of the command in its work tree, with a trailing slash; "" at the top. */
  readonly prefix: string;
  /** Prefix for names (`--directory`), with a trailing slash; "": none. */
  readonly root: string;
  strip: number;
  isKnown: boolean;
}

/** Starts at "--- " with "+++ " after it. */
export function parsePlainHeader(reader: PatchReader, guess: StripGuess): Header {
  const first = reader.text().slice(4);
  reader.skip();
  const second = reader.text().slice(4);
  reader.skip();
  if (!guess.isKnown) guessStrip(guess, first, second);
  const none = {
    oldMode: 0,
    newMode: 0,
    isRename: false,
    isCopy: false,
    score: 0,
    oldId: null,
    newId: null,
    isGit: false,
  };
  const { strip, root } = guess;
  const named = (text: string) => {
    const name = headerName(text, strip);
    if (name === null) {
      throw new PatchError(`unable to find filename in patch at line ${reader.line - 2}`, reader.line - 2);
    }
    return name;
  };
  if (isDevNull(first)) return { ...none, oldName: null, newName: named(second), isNew: true, isDelete: false };
  if (isDevNull(second)) return { ...none, oldName: named(first), newName: null, isNew: false, isDelete: true };
  const name = shorter(headerName(first, strip), headerName(second, strip), root) ?? named(second);
  if (hasEpochTime(first)) return { ...none, oldName: null, newName: name, isNew: true, isDelete: false };
  if (hasEpochTime(second)) return { ...none, oldName: name, newName: null, isNew: false, isDelete: true };
  return { ...none, oldName: name, newName: name, isNew: "maybe", isDelete: "maybe" };
}

/** "x" beside "x.orig": chooses the name without the ending that editors add. git compares the first with `root` before it. */
function shorter(first: string | null, second: string | null, root: string): string | null {
  if (first === null) return second;
  if (second === null) return first;
  const before = root + first;
  return before.length < second.length && second.startsWith(before) ? first : second;
}

function guessStrip(guess: StripGuess, first: string, second: string): void {
  const [a, b] = [guessStripOfName(guess, first), guessStripOfName(guess, second)];
  const one = a ?? b;
  if (one === null || one !== b) return;
  guess.strip = one;
  guess.isKnown = true;
}

/** Null: the name does not show it. */
function guessStripOfName({ prefix, root }: StripGuess, text: string): number | null {
  if (isDevNull(text)) return null;
  const plain = headerName(text, 0);
  if (plain === null) return null;
  const name = root + plain;
  const slash = name.indexOf("/");
  if (slash < 0) return 0;
  if (prefix === "") return null;
  const depth = prefix.split("/").length - 1;
  if (name.startsWith(prefix)) return depth;
  return name.startsWith(prefix, slash + 1) ? depth + 1 : null;
}
