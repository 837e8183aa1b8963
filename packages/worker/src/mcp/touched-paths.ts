/**
 * Selects the subscribed paths that a change touches: the path itself and everything below it. A change to a directory affects its
 * contents, so a subscription below a moved or removed directory is touched too. Each path once, in order.
 */
import type { ApiChange } from "../api/changes.ts";

export function touchedPaths(changes: readonly ApiChange[], subscriptions: readonly string[]): Set<string> {
  const touched = new Set<string>();
  for (const { path, from, op } of changes) {
    for (const at of from === undefined ? [path] : [path, from]) {
      for (const subscribed of subscriptions) {
        if (at === subscribed || at.startsWith(`${subscribed}/`)) touched.add(at);
        else if (op !== "attr" && op !== "write" && subscribed.startsWith(`${at}/`)) touched.add(subscribed);
      }
    }
  }
  return touched;
}
