/**
 * One writer's tree, as it must be. A writer does one thing after another, so when the runtime dies its tree is the one before the
 * last operation or the one after it, whole, and nothing else.
 */
import { createHash } from "node:crypto";
import type { Random } from "../support/random.ts";
import type { Call } from "./call.ts";

/** Path to content, `null` for a directory. Never changed in place. */
export type State = ReadonlyMap<string, Uint8Array | null>;

export interface Step {
  call: Call;
  body?: Uint8Array;
  streamed: boolean;
  after: State;
}

const MAX_BYTES = 4_000_000;

export function nextStep(random: Random, writer: string, state: State): Step {
  const files = [...state].filter(([, content]) => content !== null).map(([path]) => path);
  const directories = [...state].filter(([, content]) => content === null).map(([path]) => path);
  const bytes = files.reduce((sum, path) => sum + state.get(path)!.length, 0);
  const at = (path: string) => `${writer}/${path}`;
  const step = (call: Call, after: State, body?: Uint8Array): Step => ({
    call,
    body,
    streamed: isStreamed(call),
    after,
  });

  if (bytes > MAX_BYTES || state.size > 150) {
    const path = random.pick(directories.length > 0 && random.chance(0.7) ? directories : files);
    return step({ verb: "rm", path: at(path) }, without(state, path));
  }
  const verb = files.length === 0 || directories.length === 0 ? random.pick(["write", "mkdir"]) : random.pick(VERBS);
  switch (verb) {
    case "mkdir": {
      const path = `${inside(random, directories)}d${random.below(6)}/e${random.below(3)}`;
      if (blocked(state, path)) break;
      return step({ verb, path: at(path) }, withParents(state, path, null));
    }
    case "append": {
      const path = random.pick(files);
      const body = contentOf(random);
      return step(
        { verb, path: at(path), streamed: random.chance(0.3) },
        put(state, path, concat(state.get(path)!, body)),
        body,
      );
    }
    case "truncate": {
      const path = random.pick(files);
      const length = random.below(state.get(path)!.length + 1);
      return step({ verb, path: at(path), length }, put(state, path, state.get(path)!.subarray(0, length)));
    }
    case "patch": {
      const path = random.pick(files);
      const positions = Array.from({ length: 1 + random.below(4) }, () => random.below(state.get(path)!.length + 1));
      const body = bytesOf(random, positions.length * (1 + random.below(random.chance(0.1) ? 600_000 : 4_000)));
      return step(
        { verb, path: at(path), positions },
        put(state, path, patched(state.get(path)!, positions, body)),
        body,
      );
    }
    case "rename": {
      const from = random.pick(random.chance(0.5) ? files : directories);
      const to = `${inside(random, directories)}r${random.below(8)}`;
      const target = state.get(to);
      if (to === from || to.startsWith(`${from}/`) || from.startsWith(`${to}/`)) break;
      if (target !== undefined && (target === null || state.get(from) === null)) break;
      return step({ verb, from: at(from), to: at(to) }, moved(state, from, to));
    }
    case "cp": {
      const from = random.pick(directories);
      const to = `c${random.below(8)}`;
      if (state.has(to) || from === to) break;
      return step({ verb, from: at(from), to: at(to) }, copied(state, from, to));
    }
    case "rm": {
      const path = random.pick(random.chance(0.5) ? files : directories);
      return step({ verb, path: at(path) }, without(state, path));
    }
    case "writeMany":
      return writeMany(random, state, at);
  }
  const path =
    random.chance(0.4) && files.length > 0 ? random.pick(files) : `${inside(random, directories)}f${random.below(20)}`;
  if (state.get(path) === null) return step({ verb: "rm", path: at(path) }, without(state, path));
  const body = contentOf(random);
  const streamed = body.length > 50_000 || random.chance(0.2);
  return step({ verb: "write", path: at(path), streamed }, put(state, path, body), body);
}

const VERBS = [
  ...["write", "write", "write", "write", "append", "append", "patch", "truncate"],
  ...["rename", "rename", "rm", "writeMany", "mkdir", "cp"],
];

const isStreamed = (call: Call): boolean => "streamed" in call && call.streamed;

function writeMany(random: Random, state: State, at: (path: string) => string): Step {
  const home = `m${random.below(4)}`;
  const files: { path: string; size: number }[] = [];
  const parts: Uint8Array[] = [];
  let after = state;
  for (let i = random.below(30); i >= 0; i--) {
    const path = `${home}/${random.below(5)}/f${i}`;
    if (blocked(after, path) || after.get(path) === null) continue;
    const content = bytesOf(random, random.below(2_000));
    files.push({ path: at(path), size: content.length });
    parts.push(content);
    after = withParents(after, path, content);
  }
  return { call: { verb: "writeMany", files }, body: concat(...parts), streamed: false, after };
}

/** A directory to work in, with its slash; often the writer's own. */
function inside(random: Random, directories: string[]): string {
  return directories.length > 0 && random.chance(0.6) ? `${random.pick(directories)}/` : "";
}

/** Whether a file stands where the path needs a directory. */
function blocked(state: State, path: string): boolean {
  return (
    parentsOf(path).some((parent) => state.get(parent) instanceof Uint8Array) || state.get(path) instanceof Uint8Array
  );
}

function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

function put(state: State, path: string, content: Uint8Array | null): State {
  return new Map(state).set(path, content);
}

function withParents(state: State, path: string, content: Uint8Array | null): State {
  const after = new Map(state);
  for (const parent of parentsOf(path)) after.set(parent, null);
  return after.set(path, content);
}

const below = (path: string, top: string): boolean => path === top || path.startsWith(`${top}/`);

function without(state: State, top: string): State {
  return new Map([...state].filter(([path]) => !below(path, top)));
}

function moved(state: State, from: string, to: string): State {
  const rest = without(state, to);
  return new Map(
    [...rest].map(([path, content]) => [below(path, from) ? `${to}${path.slice(from.length)}` : path, content]),
  );
}

function copied(state: State, from: string, to: string): State {
  const copies = [...state]
    .filter(([path]) => below(path, from))
    .map(([path, content]) => [`${to}${path.slice(from.length)}`, content] as const);
  return new Map([...state, ...copies]);
}

function patched(content: Uint8Array, positions: number[], body: Uint8Array): Uint8Array {
  const size = body.length / positions.length;
  const whole = new Uint8Array(Math.max(content.length, ...positions.map((position) => position + size)));
  whole.set(content);
  for (const [i, position] of positions.entries()) whole.set(body.subarray(i * size, (i + 1) * size), position);
  return whole;
}

function contentOf(random: Random): Uint8Array {
  if (random.chance(0.04)) return bytesOf(random, 1_000_000 + random.below(1_500_000));
  if (random.chance(0.12)) return bytesOf(random, 100_000 + random.below(200_000));
  return bytesOf(random, random.below(5_000));
}

/** No two contents alike, and no part of one like another part. */
function bytesOf(random: Random, size: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = random.below(2 ** 32);
  for (let i = 0; i < words.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[i] = state;
  }
  return new Uint8Array(words.buffer, 0, size);
}

function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const digests = new WeakMap<Uint8Array, string>();

/** As the object tells it: SHA-256 per file, "dir" per directory. */
export function toText(state: State): Record<string, string> {
  return Object.fromEntries([...state].map(([path, content]) => [path, content === null ? "dir" : digestOf(content)]));
}

function digestOf(content: Uint8Array): string {
  let digest = digests.get(content);
  if (digest === undefined) {
    digest = createHash("sha256").update(content).digest("hex");
    digests.set(content, digest);
  }
  return digest;
}
