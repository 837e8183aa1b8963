/**
 * Which engine answers: the local one can always; another is asked only by choice, or when it says that it stands where the
 * workspace stands. The choice is made once, before the first hit, and the answer names the engine.
 */
import type { GrepQuery } from "@workspace/protocol";
import { FsError } from "../errors.ts";
import type { Volume } from "../volume.ts";
import type { SearchEngine } from "./engine.ts";
import { createLocalEngine } from "./local-engine.ts";

export type EngineChoice = "auto" | "local" | "container";

export interface OtherEngine extends SearchEngine {
  /** It can answer this now, and as the local one would. */
  canAnswer(query: GrepQuery): boolean;
}

const others = new WeakMap<Volume, OtherEngine>();

export function addEngine(volume: Volume, engine: OtherEngine): void {
  others.set(volume, engine);
}

export function engineFor(volume: Volume, query: GrepQuery, choice: unknown = "auto"): SearchEngine {
  const other = others.get(volume);
  switch (choice as EngineChoice) {
    case "local":
      return createLocalEngine(volume);
    case "auto":
      return other?.canAnswer(query) ? other : createLocalEngine(volume);
    case "container":
      if (other === undefined)
        throw new FsError("ENOSYS", { syscall: "grep", reason: "this workspace has no container to search in" });
      return other;
    default:
      throw new FsError("EINVAL", { syscall: "grep", reason: `unknown engine ${JSON.stringify(choice)}` });
  }
}
