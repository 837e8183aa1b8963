/**
 * Of what changed, that which was subscribed to: the path itself, and whatever lies below it. What happens to a directory happens to
 * all that is in it, so a subscription below one that was moved or removed is touched too. Each path once, in order.
 */
import type { ApiChange } from "../../api/changes.ts";

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
