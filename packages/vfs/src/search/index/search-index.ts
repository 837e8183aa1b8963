/**
 * The index of a volume: its segments in memory, and the builds under way. A search needs none of the functions below; they are for
 * maintenance, tests and measurements: build on request, drop, measure.
 */
import type { GrepQuery } from "@workspace/protocol";
import { deleteIndex, indexBytes, selectSegments } from "../../store/search-index.ts";
import type { ReadView, VolumeStore } from "../../volume/views.ts";
import { walkFiles } from "../files.ts";
import { buildIndex } from "./build.ts";
import { BuildSchedule } from "./schedule.ts";
import { SegmentTable } from "./segment-table.ts";

export class SearchIndex {
  readonly store: VolumeStore;
  readonly builds = new BuildSchedule(this);
  #segments: SegmentTable | null = null;

  constructor(store: VolumeStore) {
    this.store = store;
    store.onCommit((what) => {
      if (what === "purged") this.forget();
    });
  }

  /** Read once, and again after a rollback, which begins another epoch. */
  get segments(): SegmentTable {
    const { epochToken } = this.store;
    if (this.#segments?.epoch !== epochToken)
      this.#segments = new SegmentTable(epochToken, selectSegments(this.store.ensureOpen().db));
    return this.#segments;
  }

  /** Drops the segments from memory; the next search reads them again. */
  forget(): void {
    this.#segments = null;
  }
}

export interface IndexUsage {
  /** Bytes of the tables. */
  readonly bytes: number;
  readonly contents: number;
  /** Bytes of the text that the index covers. */
  readonly covered: number;
}

/** Indexes every file in the workspace that can be indexed; hashes at most `budget` bytes, and returns how many. */
export async function buildSearchIndex({ store }: ReadView, budget = Number.MAX_SAFE_INTEGER): Promise<number> {
  const { index } = store.services.search;
  await index.builds.idle();
  const { segments } = index;
  const everything: Partial<GrepQuery> = {
    paths: ["/"],
    cwd: "/",
    globs: [],
    types: [],
    hidden: true,
    ignore: false,
    maxDepth: null,
  };
  const pending = [...walkFiles(store.ensureOpen(), everything as GrepQuery, { ignored: 0 })]
    .map(({ inode }) => inode)
    .filter((inode) => segments.slotOf(inode) < 0);
  return buildIndex(index, pending, budget);
}

export async function dropSearchIndex({ store }: ReadView): Promise<void> {
  const { index } = store.services.search;
  await index.builds.idle();
  deleteIndex(store.ensureOpen().db);
  index.forget();
}

export function searchIndexUsage({ store }: ReadView): IndexUsage {
  let contents = 0;
  let covered = 0;
  for (const { documents } of store.services.search.index.segments.groups.values()) {
    for (let i = 0; i < documents.length; i += 2) {
      if (documents[i] !== 0) contents++;
      covered += documents[i + 1] as number;
    }
  }
  return { bytes: indexBytes(store.db), contents, covered };
}
