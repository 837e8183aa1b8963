/** The records of a pax header: `<length> <key>=<value>\n`, where the length counts itself. */
import type { ArchiveBudget } from "./archive-budget.ts";
import { invalidArchive } from "./archive-error.ts";
import { damaged, latin1, text } from "./tar-header.ts";

/** Real headers have a handful. */
const MAX_RECORDS = 1000;
/** Longer than any key that is read here, and than the number before it. */
const MAX_KEY = 32;
const NEWLINE = 10;

export interface PaxRecords {
  path?: string;
  linkpath?: string;
  /** Decimal digits. */
  size?: string;
  /** A decimal number. */
  mtime?: string;
}

/** `scope`: the next entry, or all that follow, which must not share a name, a target or a size. */
export function paxRecords(body: Uint8Array, scope: "next" | "all", budget: ArchiveBudget): PaxRecords {
  const records: PaxRecords = {};
  let count = 0;
  for (let at = 0; at < body.length; ) {
    if (++count > MAX_RECORDS) throw invalidArchive("a header of it has too many records");
    budget.spendRecord();
    const head = /^(\d{1,6}) ([^=\0]+)(=?)/.exec(latin1(body.subarray(at, at + MAX_KEY)));
    const [found = "", length, key = "", equals] = head ?? [];
    const [start, end] = [at + found.length, at + Number(length)];
    if (!(start < end && end <= body.length) || body[end - 1] !== NEWLINE) throw damaged();
    if (key.startsWith("GNU.sparse.")) throw invalidArchive("it holds a sparse file");
    if (equals === "=" && (key === "path" || key === "linkpath" || key === "size" || key === "mtime")) {
      if (scope === "all" && key !== "mtime") throw invalidArchive(`a global header sets ${key}`);
      if (scope === "next") records[key] = checkedValue(key, text(body.subarray(start, end - 1)));
    }
    at = end;
  }
  return records;
}

function checkedValue(key: keyof PaxRecords, value: string): string {
  if (key === "size" && !/^\d{1,15}$/.test(value)) throw damaged();
  if (key === "mtime" && !/^-?\d{1,15}(\.\d{0,20})?$/.test(value)) throw damaged();
  return value;
}
