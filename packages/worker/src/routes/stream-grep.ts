/**
 * Streams a search as events: pages of hits, each fetched when the reader has consumed the previous one, then one `end`. The limit
 * is `maxHits`; a page that its work budget cuts short is continued, so that a large tree is searched completely.
 */
import type { GrepOptions, GrepStats, SearchableFileSystem } from "@cloudflare/workspace";
import type { GrepEvent } from "../api/search.ts";
import { LIMITS } from "../limits.ts";

export async function* streamGrep(
  fs: SearchableFileSystem,
  pattern: string | readonly string[],
  path: string,
  options: GrepOptions,
): AsyncGenerator<GrepEvent> {
  const { maxHits = 1000, cursor: start, offset, ...rest } = options;
  let left = maxHits;
  let cursor = start;
  let stats: GrepStats | null = null;
  for (let page: number = LIMITS.grepFirstPage; ; page = LIMITS.grepPage) {
    const answer = await fs.grep(pattern, path, {
      ...rest,
      cursor,
      maxHits: Math.min(left, page),
      // A later page begins at its cursor, after what was skipped.
      ...(stats === null && offset !== undefined ? { offset } : {}),
    });
    for (const hit of answer.hits) yield { type: "hit", ...hit };
    left -= answer.hits.length;
    stats = stats === null ? answer.stats : sum(stats, answer.stats);
    const stuck = answer.cursor === cursor && answer.hits.length === 0;
    if (answer.cursor === null || left <= 0 || stuck) {
      const { engine, truncated, truncatedBy } = answer;
      const next = answer.cursor === null ? {} : { cursor: answer.cursor };
      yield { type: "end", truncated, truncatedBy, engine, stats, ...next };
      return;
    }
    cursor = answer.cursor;
  }
}

function sum(a: GrepStats, b: GrepStats): GrepStats {
  const total = { ...a } as Record<string, unknown>;
  for (const [name, value] of Object.entries(b)) {
    const before = total[name];
    if (typeof value === "number" && typeof before === "number") total[name] = before + value;
  }
  return total as unknown as GrepStats;
}
