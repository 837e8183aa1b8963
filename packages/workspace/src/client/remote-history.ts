/** History and snapshots of a workspace in another object: one message per call, answers as they are. */
import type { VerbWithOptions } from "@workspace/protocol";
import { type History, optionsOf, type Snapshots } from "@workspace/vfs";
import type { RpcClient } from "./rpc-client.ts";

type Values<T> = { [K in keyof T]: T[K] extends (...args: never) => Promise<infer V> ? V : never };

/** The options of a call, and their position among its arguments. */
type HistoryCallOptions = readonly [verb: VerbWithOptions, at: number];

export function createRemoteHistory(connection: RpcClient): History {
  const ask =
    <K extends keyof History>(verb: string, options?: HistoryCallOptions) =>
    async (...args: unknown[]) =>
      (await connection.call(verb, knownArguments(args, options))).value as Values<History>[K];
  return {
    log: ask<"log">("historyLog", ["history.log", 0]),
    groups: ask<"groups">("historyGroups", ["history.groups", 0]),
    diff: ask<"diff">("historyDiff", ["history.diff", 0]),
    undo: ask<"undo">("historyUndo", ["history.undo", 0]),
    blame: ask<"blame">("historyBlame", ["history.blame", 1]),
    purge: ask<"purge">("historyPurge", ["history.purge", 1]),
    use: ask<"use">("historyUse"),
  };
}

export function createRemoteSnapshots(connection: RpcClient): Snapshots {
  const ask =
    <K extends keyof Snapshots>(verb: string, options?: HistoryCallOptions) =>
    async (...args: unknown[]) =>
      (await connection.call(verb, knownArguments(args, options))).value as Values<Snapshots>[K];
  return {
    create: ask<"create">("snapshotCreate", ["snapshots.create", 1]),
    list: ask<"list">("snapshotList"),
    get: ask<"get">("snapshotGet"),
    remove: ask<"remove">("snapshotRemove", ["snapshots.remove", 1]),
    restore: ask<"restore">("snapshotRestore", ["snapshots.restore", 1]),
  };
}

function knownArguments(args: readonly unknown[], options?: HistoryCallOptions): unknown[] {
  if (options === undefined) return [...args];
  const [verb, at] = options;
  if (args[at] === undefined) return [...args];
  const known = optionsOf(verb, args[at]);
  // A call without options has no room for them.
  return Object.keys(known).length === 0 && at > 0 ? args.slice(0, at) : args.with(at, known);
}
