/** Merges two ascending lists of indexes, each index once. */
export function mergeIndexes(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length === 0) return others;
  if (others.length === 0) return some;
  const merged: number[] = [];
  let i = 0;
  for (const other of others) {
    while (i < some.length && (some[i] as number) < other) merged.push(some[i++] as number);
    if (i < some.length && some[i] === other) i++;
    merged.push(other);
  }
  while (i < some.length) merged.push(some[i++] as number);
  return merged;
}
