/** Line ending statistics of a content, and git's guess whether it is binary. */

export interface TextStats {
  readonly nul: number;
  readonly loneCr: number;
  readonly loneLf: number;
  readonly crlf: number;
  readonly printable: number;
  readonly nonPrintable: number;
}

export function textStats(bytes: Uint8Array): TextStats {
  let nul = 0;
  let loneCr = 0;
  let loneLf = 0;
  let crlf = 0;
  let printable = 0;
  let nonPrintable = 0;
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === 13) {
      if (bytes[i + 1] === 10 && i + 1 < length) {
        crlf++;
        i++;
      } else loneCr++;
    } else if (byte === 10) loneLf++;
    else if (byte === 127) nonPrintable++;
    else if (byte >= 32 || byte === 8 || byte === 9 || byte === 27 || byte === 12) printable++;
    else {
      if (byte === 0) nul++;
      nonPrintable++;
    }
  }
  // A final Ctrl-Z was DOS's end of file.
  if (length > 0 && bytes[length - 1] === 26) nonPrintable--;
  return { nul, loneCr, loneLf, crlf, printable, nonPrintable };
}

export function isBinaryByStats({ loneCr, nul, printable, nonPrintable }: TextStats): boolean {
  return loneCr > 0 || nul > 0 || printable >> 7 < nonPrintable;
}
