/**
 * Every option of every verb, in the object, by a client and as a bare RPC call: a known one with a good value passes, a misspelled
 * one is refused with a suggestion, and so is a value of another kind. A new verb or kind fails the compilation until it is here.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, serveWorkspace, Workspace } from "@cloudflare/workspace";
import {
  LOCAL_KINDS,
  type OptionTable,
  type OptionValues,
  VERB_OPTIONS,
  type VerbWithOptions,
} from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const F = "/workspace/f";
type Subject = Record<"fs" | "history" | "snapshots" | "shell", Record<string, (...args: unknown[]) => unknown>> &
  Record<"maintain" | "gc" | "fsck", (options: unknown) => unknown>;
type Verb = Exclude<VerbWithOptions, `FileHandle.${string}`>;

/** The arguments before the options, and the verb's name in a call; null: it is not sent as such. */
const ARGUMENTS: Record<Verb, { args: unknown[]; rpc?: string | null }> = {
  readFile: { args: [F] },
  writeFile: { args: [F, "x"] },
  appendFile: { args: [F, "x"] },
  open: { args: [F, "r", 0o644] },
  mkdir: { args: ["/workspace/d"] },
  mkdtemp: { args: ["/workspace/t"] },
  readdir: { args: ["/workspace"] },
  opendir: { args: ["/workspace"] },
  stat: { args: [F] },
  lstat: { args: [F] },
  statfs: { args: [F] },
  rm: { args: [F] },
  rmdir: { args: [F] },
  unlink: { args: [F] },
  rename: { args: [F, "/workspace/g"] },
  copyFile: { args: [F, "/workspace/g"] },
  cp: { args: [F, "/workspace/g"] },
  symlink: { args: ["f", "/workspace/l"] },
  readlink: { args: ["/workspace/l"] },
  link: { args: [F, "/workspace/h"] },
  realpath: { args: [F] },
  chmod: { args: [F, 0o600] },
  utimes: { args: [F, 1, 1] },
  lutimes: { args: [F, 1, 1] },
  truncate: { args: [F, 0] },
  glob: { args: ["*"] },
  watch: { args: [F] },
  readStream: { args: [F] },
  scan: { args: ["/workspace"] },
  find: { args: ["/workspace"] },
  tree: { args: ["/workspace"] },
  changes: { args: [] },
  grep: { args: ["x", "/workspace"] },
  grepStream: { args: ["x", "/workspace"], rpc: null },
  "history.log": { args: [], rpc: "historyLog" },
  "history.groups": { args: [], rpc: "historyGroups" },
  "history.diff": { args: [], rpc: "historyDiff" },
  "history.undo": { args: [], rpc: "historyUndo" },
  "history.blame": { args: [F], rpc: null },
  "history.purge": { args: [F], rpc: null },
  "snapshots.create": { args: ["s"], rpc: "snapshotCreate" },
  "snapshots.remove": { args: ["s"], rpc: null },
  "snapshots.restore": { args: ["now"], rpc: "snapshotRestore" },
  "shell.exec": { args: ["true"], rpc: "shellExec" },
  "shell.get": { args: ["no-such-id"], rpc: null },
  "shell.list": { args: [], rpc: "shellList" },
  maintain: { args: [] },
  gc: { args: [] },
  fsck: { args: [] },
};

const controller = new AbortController();
const GOOD: { readonly [Kind in keyof OptionValues]: OptionValues[Kind] } = {
  flag: true,
  text: "t",
  path: "/workspace",
  moment: "now",
  count: 1,
  positive: 1,
  number: 1,
  bound: 1,
  positiveBound: 1,
  time: 1,
  version: null,
  mode: "644",
  openFlag: "r",
  encoding: "utf16le",
  utf8: "utf8",
  copyMode: 1,
  texts: ["t"],
  paths: [F],
  variables: { NAME: "value" },
  off: false,
  any: true,
  bytes: new Uint8Array(1),
  input: new Uint8Array(1),
  resume: "tail",
  exclude: ["t"],
  signal: controller.signal,
  copyFilter: () => true,
  watchIgnore: "t",
  buffer: new Uint8Array(1),
  position: 1,
};
/** Of no kind but `any`. */
const BAD = { not: 1 };

async function reason(work: () => unknown): Promise<string> {
  try {
    const answer = await work();
    const iterator = (answer as AsyncIterable<unknown>)?.[Symbol.asyncIterator]?.();
    if (iterator !== undefined && !("exitCode" in (answer as object)) && !("ranOn" in (answer as object))) {
      const { error } = await Promise.race([
        iterator.next().then(() => ({ error: null })),
        new Promise<{ error: null }>((resolve) => setTimeout(() => resolve({ error: null }), 20)),
      ]).catch((thrown: unknown) => ({ error: thrown }));
      iterator.return?.().catch(() => {});
      if (error !== null) throw error;
    }
    const { error } = (answer ?? {}) as { error?: { code: string; reason?: string; message?: string } };
    return error === undefined ? "done" : JSON.stringify(error);
  } catch (error) {
    return `${(error as { code?: string }).code} ${(error as Error).message}`.replaceAll('"', '\\"');
  }
}

/** The call in its three forms. `given` is a new object each time. */
function calls(workspace: Workspace, verb: Verb, given: () => object): Record<string, (() => unknown) | null> {
  const { args, rpc = verb } = ARGUMENTS[verb];
  const [part, name] = verb.includes(".") ? verb.split(".") : ["fs", verb];
  const on = (subject: Subject) => () => {
    if (name === "maintain" || name === "gc" || name === "fsck") return subject[name](given());
    return subject[part as "fs"][name as string]?.(...args, given());
  };
  const client = getWorkspace(env.WORKSPACE, "verb options") as unknown as Subject;
  return {
    local: on(workspace as unknown as Subject),
    client: on(client),
    rpc: rpc === null ? null : () => serveWorkspace(workspace, { verb: rpc, args: [...args, given()] } as never),
  };
}

function optionsIn(table: OptionTable, path: readonly string[] = []): [path: string[], kind: OptionTable[string]][] {
  return Object.entries(table).flatMap(([name, kind]) =>
    typeof kind === "object" && !Array.isArray(kind)
      ? optionsIn(kind as OptionTable, [...path, name])
      : [[[...path, name], kind] as [string[], OptionTable[string]]],
  );
}

const nested = ([name, ...rest]: readonly string[], value: unknown): object => ({
  [name as string]: rest.length === 0 ? value : nested(rest, value),
});

const verbs = Object.keys(ARGUMENTS) as Verb[];

describe("every option of every verb", () => {
  it.each(verbs)("%s: in the object, by a client and as a bare call", (verb) =>
    runInDurableObject(env.BARE.getByName(`verb options ${verb}`), async (_, { storage }) => {
      const workspace = new Workspace({ storage });
      await workspace.fs.writeFile(F, "x");
      await getWorkspace(env.WORKSPACE, "verb options").fs.writeFile(F, "x");
      const table = VERB_OPTIONS[verb] as OptionTable;
      for (const [surface, call] of Object.entries(calls(workspace, verb, () => ({ noSuchOptionAtAll: 1 }))))
        if (call !== null)
          expect([verb, surface, await reason(call)]).toEqual([
            verb,
            surface,
            expect.stringMatching(/EINVAL.*option \\"noSuchOptionAtAll\\" is not supported/),
          ]);
      for (const [path, kind] of optionsIn(table)) {
        const name = path.join(".");
        const isLocal = LOCAL_KINDS.has(kind);
        const misspelled = [...path.slice(0, -1), `${path.at(-1)}x`];
        const good = Array.isArray(kind) ? kind[0] : GOOD[kind as keyof OptionValues];
        for (const [surface, call] of Object.entries(calls(workspace, verb, () => nested(misspelled, good)))) {
          if (call === null) continue;
          const hint = isLocal && surface === "rpc" ? "" : `; did you mean \\"${name}\\"`;
          expect([verb, surface, await reason(call)]).toEqual([
            verb,
            surface,
            expect.stringContaining(`option \\"${misspelled.join(".")}\\" is not supported${hint}`),
          ]);
        }
        if (kind !== "any")
          for (const [surface, call] of Object.entries(calls(workspace, verb, () => nested(path, BAD)))) {
            if (call === null || kind === "watchIgnore") continue;
            expect([verb, name, surface, await reason(call)]).toEqual([
              verb,
              name,
              surface,
              expect.stringMatching(/EINVAL|ERR_INVALID_ARG/),
            ]);
          }
        for (const [surface, call] of Object.entries(calls(workspace, verb, () => nested(path, good)))) {
          if (call === null) continue;
          const refused = isLocal && surface === "rpc";
          const answer = await reason(call);
          expect([verb, name, surface, /is not supported|does not take/.test(answer)]).toEqual([
            verb,
            name,
            surface,
            refused,
          ]);
        }
      }
    }),
  );
});
