/** Converts a log entry to a change as the API returns it. */
import type { Change } from "@cloudflare/workspace";
import type { ApiChange } from "../api/changes.ts";

export function apiChange({ timeMs, type, ...rest }: Change): ApiChange {
  return { ...rest, type: type === "dir" ? "directory" : type, time: timeMs };
}
