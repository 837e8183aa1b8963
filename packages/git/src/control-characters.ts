/**
 * Control characters in text for people. A server, a file name or a commit may hold escape sequences that move the cursor, clear the
 * screen or type into the terminal; these become visible characters before they are shown.
 */

/** One message: as git prints it after "fatal:", "error:" and "warning:". */
export function maskMessage(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, () => "?");
}

/** Anything for a terminal: colors, "erase to the end of the line" and carriage returns stay, as newer versions of git have it. */
export function maskTerminal(text: string): string {
  return text.replace(/\x1b\[[0-9;]{0,64}[mK]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, (found) =>
    found.length > 1 ? found : caret(found.charCodeAt(0)),
  );
}

function caret(code: number): string {
  if (code === 0x7f) return "^?";
  return code < 0x20 ? `^${String.fromCharCode(code + 0x40)}` : "?";
}
