/** Formats a size as git's progress does: "1.50 KiB". */
export function humanBytes(bytes: number): string {
  const two = (value: number) => value.toFixed(2);
  if (bytes >= 1024 ** 3) return `${two(bytes / 1024 ** 3)} GiB`;
  if (bytes >= 1024 ** 2) return `${two(bytes / 1024 ** 2)} MiB`;
  if (bytes >= 1024) return `${two(bytes / 1024)} KiB`;
  return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}
