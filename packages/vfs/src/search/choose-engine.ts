/**
 * Chooses the engine. The local one can always answer; an external one is used only on request, or when it has the same state as
 * the workspace. Without an explicit choice the local one is also the fallback if the other fails before its first hit; a later
 * failure is an error. The answer names the engine.
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
  const { external: other } = volume.store.services.search;
  switch (choice as EngineChoice) {
    case "local":
      return createLocalEngine(volume);
    case "auto":
      return other?.canAnswer(query) ? orLocal(other, volume) : createLocalEngine(volume);
    case "container":
      if (other === null)
        throw new FsError("ENOSYS", { syscall: "grep", reason: "this workspace has no container to search in" });
      return other;
    default:
      throw new FsError("EINVAL", { syscall: "grep", reason: `unknown engine ${JSON.stringify(choice)}` });
  }
}

function orLocal(other: SearchEngine, volume: ReadView): SearchEngine {
  let answering = other;
  return {
    get name() {
      return answering.name;
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
        return await other.search(query, watched, signal);
      } catch (error) {
        if (hasBegun || signal?.aborted) throw error;
        answering = createLocalEngine(volume);
        return answering.search(query, sink, signal);
      }
    },
  };
}
