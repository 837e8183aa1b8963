/** Stats and directory entries as plain data: the client rebuilds their methods and dates. */
import type { WireDirent, WireStat } from "@workspace/protocol";
import type { Dirent, FileStat } from "@workspace/vfs";

export function toWireStat(stat: FileStat): WireStat {
  const { type, mode, size, ino, nlink, mtimeMs, ctimeMs, birthtimeMs, version, contentVersion } = stat;
  return { type, mode, size, ino, nlink, mtimeMs, ctimeMs, birthtimeMs, version, contentVersion };
}

export function plainDirent({ name, parentPath, type }: Dirent): WireDirent {
  return { name, parentPath, type };
}
