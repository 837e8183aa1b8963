/** The index as a whole, for maintenance, tests and measurements: build on request, drop, measure. A search needs none of these. */
import type { GrepQuery } from "@workspace/protocol";
import { deleteIndex, indexBytes } from "../../store/search-index.ts";
import type { Volume } from "../../volume/volume.ts";
import { walkFiles } from "../files.ts";
import { buildIndex } from "./build.ts";
import { indexIdle } from "./schedule.ts";
import { forgetDirectory, segmentTable } from "./segment-table.ts";

export interface IndexUsage {
  /** Bytes of the tables. */
  readonly bytes: number;
  readonly contents: number;
  /** Bytes of the text that the index covers. */
  readonly covered: number;
}

/** Indexes every file in the workspace that can be indexed; hashes at most `budget` bytes, and returns how many. */
export async function buildSearchIndex(volume: Volume, budget = Number.MAX_SAFE_INTEGER): Promise<number> {
  await indexIdle(volume);
  const directory = segmentTable(volume.ensureOpen());
  const everything: Partial<GrepQuery> = {
    paths: ["/"],
    cwd: "/",
    globs: [],
    types: [],
    hidden: true,
    ignore: false,
    maxDepth: null,
  };
  const pending = [...walkFiles(volume, everything as GrepQuery, { ignored: 0 })]
    .map(({ inode }) => inode)
    .filter((inode) => directory.slotOf(inode) < 0);
  return buildIndex(volume, pending, budget);
}

export async function dropSearchIndex(volume: Volume): Promise<void> {
  await indexIdle(volume);
  deleteIndex(volume.ensureOpen().db);
  forgetDirectory(volume);
}

export function searchIndexUsage(volume: Volume): IndexUsage {
  let contents = 0;
  let covered = 0;
  for (const { documents } of segmentTable(volume.ensureOpen()).groups.values()) {
    for (let i = 0; i < documents.length; i += 2) {
      if (documents[i] !== 0) contents++;
      covered += documents[i + 1] as number;
    }
  }
  return { bytes: indexBytes(volume.db), contents, covered };
}
