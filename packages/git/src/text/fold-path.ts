/** Removes `.` and doubled slashes; `..` stays for the file system, which resolves links before it. */
export function foldPath(path: string): string {
  if (!/\/\.?(\/|$)/.test(path)) return path;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return `/${names.join("/")}`;
}
