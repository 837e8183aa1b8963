/**
 * Makes control characters visible. A server, a file name or a commit may contain escape sequences that move the cursor, clear the
 * screen or type into the terminal.
 */

/** Masks control characters in one message after "fatal:", "error:" or "warning:", as git does. */
export function maskMessage(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, () => "?");
}

/**
 * Masks control characters in terminal output. Colors, "erase to the end of the line" and carriage returns stay, as in newer
 * versions of git.
 */
export function maskTerminal(text: string): string {
  return text.replace(/\x1b\[[0-9;]{0,64}[mK]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, (found) =>
    found.length > 1 ? found : caret(found.charCodeAt(0)),
  );
}

function caret(code: number): string {
  if (code === 0x7f) return "^?";
  return code < 0x20 ? `^${String.fromCharCode(code + 0x40)}` : "?";
}
