/** `--raw`, `--name-status` and `--name-only`: one line a file, and the lines of `--summary`. */

import type { DiffOptions } from "../diff/diff-options.ts";
import type { FileContents } from "../diff/file-contents.ts";
import { type FilePair, percent } from "../diff/file-pair.ts";
import { octal } from "../object/file-mode.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import type { ObjectDatabase } from "../odb/object-database.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { displayName, renamedName } from "./patch-names.ts";

export async function writeRaw(
  sink: OutputBuffer,
  contents: FileContents,
  pair: FilePair,
  options: DiffOptions,
): Promise<void> {
  const odb = contents.repo?.odb ?? null;
  const ids: string[] = [];
  for (const side of [pair.old, pair.new]) ids.push(await rawId(odb, contents.knownOid(side), options));
  sink.text(`${options.linePrefix}:${octal(pair.old.mode)} ${octal(pair.new.mode)} ${ids.join(" ")} `);
  writeStatus(sink, pair, options);
}

async function rawId(odb: ObjectDatabase | null, oid: Oid | null, { abbrev }: DiffOptions): Promise<string> {
  const id = oid ?? ZERO_OID;
  if (abbrev === 0) return id;
  if (id !== ZERO_OID && odb) return odb.abbreviate(id, abbrev ?? undefined);
  return id.slice(0, abbrev ?? (odb ? (await odb.abbreviate(ZERO_OID)).length : 7));
}

/** The status letter, the similarity, and the names. */
export function writeStatus(sink: OutputBuffer, pair: FilePair, options: DiffOptions): void {
  const between = options.nul ? "\0" : "\t";
  const end = options.nul ? "\0" : "\n";
  const score = pair.score > 0 ? String(percent(pair.score)).padStart(3, "0") : "";
  const names =
    pair.status === "R" || pair.status === "C"
      ? [pair.old.path, pair.new.path]
      : [pair.old.mode !== 0 ? pair.old.path : pair.new.path];
  sink.text(`${pair.status}${score}${between}`);
  sink.text(names.map((name) => displayName(name, options)).join(between) + end);
}

export function writeNameOnly(sink: OutputBuffer, pair: FilePair, options: DiffOptions): void {
  sink.text(options.linePrefix + displayName(pair.new.path, options) + (options.nul ? "\0" : "\n"));
}

/** Empty: nothing to report. */
export function summaryOf(pair: FilePair, options: DiffOptions): string {
  const prefix = options.linePrefix;
  const { old, new: fresh, status, score } = pair;
  switch (status) {
    case "D":
      return `${prefix} delete mode ${octal(old.mode)} ${displayName(old.path, { ...options, nul: false })}\n`;
    case "A":
      return `${prefix} create mode ${octal(fresh.mode)} ${displayName(fresh.path, { ...options, nul: false })}\n`;
    case "C":
    case "R": {
      const what = status === "C" ? "copy" : "rename";
      const names = renamedName(old.path, fresh.path, options);
      return `${prefix} ${what} ${names} (${percent(score)}%)\n${modeChange(pair, options, false)}`;
    }
    default: {
      const name = displayName(fresh.path, { ...options, nul: false });
      const rewrite = score > 0 ? `${prefix} rewrite ${name} (${percent(score)}%)\n` : "";
      return rewrite + modeChange(pair, options, score === 0);
    }
  }
}

function modeChange({ old, new: fresh }: FilePair, options: DiffOptions, withName: boolean): string {
  if (old.mode === 0 || fresh.mode === 0 || old.mode === fresh.mode) return "";
  const name = withName ? ` ${displayName(fresh.path, { ...options, nul: false })}` : "";
  return `${options.linePrefix} mode change ${octal(old.mode)} => ${octal(fresh.mode)}${name}\n`;
}
