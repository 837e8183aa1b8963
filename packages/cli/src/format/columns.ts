/** Formats rows in columns, the last one unpadded; cells that start with a digit are right-aligned. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => {
        if (at === row.length - 1) return cell;
        return /^\d/.test(cell) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
      })
      .join("  ");
  return rows.map((row) => `${line(row)}\n`).join("");
}
