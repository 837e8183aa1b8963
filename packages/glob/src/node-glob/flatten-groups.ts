/**
 * Merges nested extended globs where Node merges them: `+(+(a)|b)` becomes `+(a|b)`, `@(?(a))` becomes `?(a)`, `!(!(a))` becomes
 * `@(a)`. In rare cases this changes what a pattern matches; the result is the same as Node's because the order of the merges is
 * the same.
 */
import type { GroupType, SegmentGroup, Sequence } from "./parse-segment.ts";

/** Outer type: inner types whose alternatives simply join the outer ones. */
const ADOPTS: Readonly<Record<GroupType, string>> = { "!": "@", "?": "?@", "@": "@", "*": "*+?@", "+": "+@" };

/** The same, with an empty alternative added. */
const ADOPTS_WITH_EMPTY: Readonly<Record<GroupType, string>> = { "!": "?", "?": "", "@": "?", "*": "", "+": "?*" };

/** Outer type, when it has a single alternative: the type it becomes, by inner type. */
const BECOMES: Readonly<Record<GroupType, Partial<Record<GroupType, GroupType>>>> = {
  "!": { "!": "@" },
  "?": { "*": "*", "+": "*" },
  "@": { "!": "!", "?": "?", "@": "@", "*": "*", "+": "+" },
  "*": {},
  "+": { "?": "*", "*": "*" },
};

const MAX_ROUNDS = 10;

export function flattenGroups(sequence: Sequence): void {
  for (const part of sequence) {
    if (typeof part !== "string") flattenGroup(part);
  }
}

function flattenGroup(group: SegmentGroup): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let changed = false;
    for (let i = 0; i < group.alternatives.length; i++) {
      flattenGroups(group.alternatives[i]!);
      changed = mergeAt(group, i) || changed;
    }
    if (!changed) return;
  }
}

function mergeAt(group: SegmentGroup, index: number): boolean {
  const alternative = group.alternatives[index]!;
  const inner = alternative[0];
  if (alternative.length !== 1 || typeof inner !== "object") return false;
  if (ADOPTS[group.type].includes(inner.type)) {
    group.alternatives.splice(index, 1, ...inner.alternatives);
    return true;
  }
  if (ADOPTS_WITH_EMPTY[group.type].includes(inner.type)) {
    group.alternatives.splice(index, 1, ...inner.alternatives, []);
    return true;
  }
  const type = group.alternatives.length === 1 ? BECOMES[group.type][inner.type] : undefined;
  if (!type) return false;
  group.type = type;
  group.alternatives = inner.alternatives;
  group.endsEmpty = false;
  return true;
}
