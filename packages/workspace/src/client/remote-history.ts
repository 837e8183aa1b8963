/** History and snapshots of a workspace in another object: one message a call, answers as they are. */
import type { History, Snapshots } from "@workspace/vfs";
import type { Connection } from "./connection.ts";

type Values<T> = { [K in keyof T]: T[K] extends (...args: never) => Promise<infer V> ? V : never };

export function createRemoteHistory(connection: Connection): History {
  const ask =
    <K extends keyof History>(verb: string) =>
    async (...args: unknown[]) =>
      (await connection.call(verb, args)).value as Values<History>[K];
  return {
    log: ask<"log">("historyLog"),
    groups: ask<"groups">("historyGroups"),
    diff: ask<"diff">("historyDiff"),
    undo: ask<"undo">("historyUndo"),
    blame: ask<"blame">("historyBlame"),
    purge: ask<"purge">("historyPurge"),
    use: ask<"use">("historyUse"),
  };
}

export function createRemoteSnapshots(connection: Connection): Snapshots {
  const ask =
    <K extends keyof Snapshots>(verb: string) =>
    async (...args: unknown[]) =>
      (await connection.call(verb, args)).value as Values<Snapshots>[K];
  return {
    create: ask<"create">("snapshotCreate"),
    list: ask<"list">("snapshotList"),
    get: ask<"get">("snapshotGet"),
    remove: ask<"remove">("snapshotRemove"),
    restore: ask<"restore">("snapshotRestore"),
  };
}
