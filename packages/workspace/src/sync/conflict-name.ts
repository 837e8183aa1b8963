/**
 * The path for the container's version of a file when the workspace's version stays: beside it, under a name derived from its
 * bytes, so that saving the same version twice makes one file.
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
