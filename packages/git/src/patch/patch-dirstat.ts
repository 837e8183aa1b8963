/** Writes `--dirstat`: each directory's share of all changes. */

import type { DiffOptions } from "../diff/diff-options.ts";
import { compareText } from "../text/bytes.ts";
import type { OutputBuffer } from "./output-buffer.ts";

export interface DirstatFile {
  readonly path: string;
  readonly damage: number;
}

export function writeDirstat(sink: OutputBuffer, files: readonly DirstatFile[], options: DiffOptions): void {
  const total = files.reduce((sum, { damage }) => sum + damage, 0);
  if (total === 0) return;
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path));
  gather(sink, sorted, { at: 0 }, "", total, options);
}

/** Returns the share not shown under `base`, for the parent directory. */
function gather(
  sink: OutputBuffer,
  files: readonly DirstatFile[],
  cursor: { at: number },
  base: string,
  total: number,
  options: DiffOptions,
): number {
  const { permille, cumulative } = options.dirstat;
  let sum = 0;
  let sources = 0;
  while (cursor.at < files.length) {
    const { path, damage } = files[cursor.at] as DirstatFile;
    if (!path.startsWith(base)) break;
    const slash = path.indexOf("/", base.length);
    if (slash >= 0) {
      sum += gather(sink, files, cursor, path.slice(0, slash + 1), total, options);
      sources++;
    } else {
      sum += damage;
      cursor.at++;
      sources += 2;
    }
  }
  // A directory with a single subdirectory adds no information.
  if (base === "" || sources === 1) return sum;
  if (sum <= 0) return sum;
  const share = Math.floor((sum * 1000) / total);
  if (share < permille) return sum;
  sink.text(`${options.linePrefix}${String(Math.floor(share / 10)).padStart(4)}.${share % 10}% ${base}\n`);
  return cumulative ? sum : 0;
}
