/** A tar of empty files, as ustar has it: a header of 512 bytes each, and two empty blocks at the end. */
export function tarOf(names: readonly string[]): Uint8Array<ArrayBuffer> {
  const tar = new Uint8Array((names.length + 2) * 512);
  const encoder = new TextEncoder();
  names.forEach((name, i) => {
    const header = tar.subarray(i * 512, (i + 1) * 512);
    const put = (at: number, text: string) => header.set(encoder.encode(text), at);
    put(0, name);
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, "00000000000\0");
    put(136, "00000000000\0");
    put(156, "0");
    put(257, "ustar\0" + "00");
    // The sum counts its own place as spaces.
    put(148, "        ");
    const sum = header.reduce((total, byte) => total + byte, 0);
    put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  });
  return tar;
}
