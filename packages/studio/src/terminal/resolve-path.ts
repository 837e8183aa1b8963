/** Resolves `cd` from a folder of the workspace: relative to the root, which `..` cannot leave. */
export function resolvePath(from: string, to: string): string {
  if (to === "" || to === "~") return "";
  const inRoot = to.startsWith("/workspace") ? to.slice("/workspace".length) : to;
  const names = to.startsWith("/") ? [] : from.split("/").filter(Boolean);
  for (const name of inRoot.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== "." && name !== "~") names.push(name);
  }
  return names.join("/");
}
