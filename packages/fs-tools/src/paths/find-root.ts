/** `root: "auto"`: the nearest directory at or above the working directory that looks like a project, never above the workspace. */
import { isInside } from "@workspace/glob";
import { dirname } from "./path-resolver.ts";

export const ROOT_MARKERS: readonly string[] = [
  ".git",
  "package.json",
  "CMakeLists.txt",
  "Cargo.toml",
  "go.mod",
  "pyproject.toml",
  "deno.json",
  "wrangler.toml",
  "wrangler.jsonc",
];

export async function findRoot(
  exists: (path: string) => Promise<boolean>,
  cwd: string,
  top: string,
  markers: readonly string[] = ROOT_MARKERS,
): Promise<string> {
  for (let at = cwd; isInside(at, top); at = dirname(at)) {
    for (const marker of markers) {
      if (await exists(`${at === "/" ? "" : at}/${marker}`)) return at;
    }
    if (at === "/") break;
  }
  return top;
}
