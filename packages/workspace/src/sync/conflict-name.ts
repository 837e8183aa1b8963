/**
 * Where the container's version of a path is kept when the workspace's stays: beside it, under a name that its bytes decide, so that
 * the same version kept twice is kept once.
 */
const MAX_NAME_BYTES = 255;
const encoder = new TextEncoder();

export function conflictName(path: string, hash: string, copy = 1): string {
  const slash = path.lastIndexOf("/") + 1;
  const suffix = `.conflict-${hash.slice(0, 12)}${copy === 1 ? "" : `-${copy}`}`;
  let name = path.slice(slash);
  while (encoder.encode(name + suffix).length > MAX_NAME_BYTES) name = Array.from(name).slice(0, -1).join("");
  return path.slice(0, slash) + name + suffix;
}
