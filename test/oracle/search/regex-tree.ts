/**
 * A regular expression as a tree: it prints itself in ripgrep's (Rust's) syntax, grows text that it should match, and gives
 * simpler trees, so that a failing pattern can be made short.
 */
import type { Random } from "../../support/random.ts";

export type Regex =
  /** Printed as it is; `samples` are texts it can match, in the right context. */
  | { atom: string; samples: readonly string[] }
  | { all: readonly Regex[] }
  | { any: readonly Regex[] }
  /** `open` is all before the content: `(`, `(?i:`, `(?P<name>`. */
  | { open: string; inner: Regex }
  | { inner: Regex; repeat: string; min: number; max: number };

export function printed(regex: Regex): string {
  if ("atom" in regex) return regex.atom;
  if ("all" in regex) return regex.all.map((part) => wrapped(part, "any" in part)).join("");
  if ("any" in regex) return regex.any.map(printed).join("|");
  if ("open" in regex) return `${regex.open}${printed(regex.inner)})`;
  return `${wrapped(regex.inner, !isSingle(regex.inner))}${regex.repeat}`;
}

function wrapped(regex: Regex, needed: boolean): string {
  return needed ? `(?:${printed(regex)})` : printed(regex);
}

/** What a repetition can follow without brackets. */
function isSingle(regex: Regex): boolean {
  if ("open" in regex) return true;
  return "atom" in regex && regex.atom !== "" && !/^\(\?[a-zA-Z-]+\)$/.test(regex.atom);
}

export function sampled(regex: Regex, random: Random): string {
  if ("atom" in regex) return regex.samples.length === 0 ? "" : random.pick(regex.samples);
  if ("all" in regex) return regex.all.map((part) => sampled(part, random)).join("");
  if ("any" in regex) return regex.any.length === 0 ? "" : sampled(random.pick(regex.any), random);
  if ("open" in regex) return sampled(regex.inner, random);
  const times = random.between(regex.min, Math.min(regex.max, regex.min + 2));
  return Array.from({ length: times }, () => sampled(regex.inner, random)).join("");
}

/** Trees with one thing less, the boldest first. */
export function* simpler(regex: Regex): Generator<Regex> {
  if ("atom" in regex) {
    if (regex.atom !== "a") yield { atom: "a", samples: ["a"] };
  } else if ("all" in regex) yield* simplerList(regex.all, (all) => ({ all }));
  else if ("any" in regex) yield* simplerList(regex.any, (any) => ({ any }));
  else {
    yield regex.inner;
    for (const inner of simpler(regex.inner)) yield { ...regex, inner };
  }
}

function* simplerList(parts: readonly Regex[], make: (parts: readonly Regex[]) => Regex): Generator<Regex> {
  if (parts.length > 1) for (const part of parts) yield part;
  if (parts.length > 2) for (const [at] of parts.entries()) yield make(parts.toSpliced(at, 1));
  for (const [at, part] of parts.entries()) for (const less of simpler(part)) yield make(parts.with(at, less));
}
