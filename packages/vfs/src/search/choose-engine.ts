/**
 * Chooses the search engine of a query: the local one, or an external one (ripgrep in the container). With "auto", the external
 * engine runs only if it has the same state as the workspace; if it fails before its first hit, the local engine is the fallback. A
 * later failure is an error. The `name` of the returned engine says which one ran.
 */
import type { GrepQuery } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import type { ReadView } from "../volume/views.ts";
import type { MatchSink, SearchEngine } from "./engine.ts";
import { createLocalEngine } from "./local-engine.ts";

export type EngineChoice = "auto" | "local" | "container";

export interface ExternalSearchEngine extends SearchEngine {
  /** Whether it can answer this now, with the same result as the local engine. */
  canAnswer(query: GrepQuery): boolean;
}

export function chooseEngine(volume: ReadView, query: GrepQuery, choice: unknown = "auto"): SearchEngine {
  const { external } = volume.store.services.search;
  switch (choice as EngineChoice) {
    case "local":
      return createLocalEngine(volume);
    case "auto":
      return external?.canAnswer(query) ? withLocalFallback(external, volume) : createLocalEngine(volume);
    case "container":
      if (external === null)
        throw new FsError("ENOSYS", { syscall: "grep", reason: "this workspace has no container to search in" });
      return external;
    default:
      throw new FsError("EINVAL", { syscall: "grep", reason: `unknown engine ${JSON.stringify(choice)}` });
  }
}

function withLocalFallback(external: SearchEngine, volume: ReadView): SearchEngine {
  let active = external;
  return {
    get name() {
      return active.name;
    },
    async search(query, sink, signal) {
      let hasBegun = false;
      const watched: MatchSink = {
        begin(path) {
          hasBegun = true;
          sink.begin(path);
        },
        matched: (line) => sink.matched(line),
        context: (line, kind) => sink.context(line, kind),
        gap: () => sink.gap(),
        end: (file) => sink.end(file),
        ...(sink.noMatch && { noMatch: (path) => sink.noMatch?.(path) }),
        ...(sink.pause && { pause: () => sink.pause?.() }),
      };
      try {
        return await external.search(query, watched, signal);
      } catch (error) {
        if (hasBegun || signal?.aborted) throw error;
        active = createLocalEngine(volume);
        return active.search(query, sink, signal);
      }
    },
  };
}
