/** `--format` of `ls-files` and `ls-tree`: `%(field)`, `%%`, `%n`, `%x41`; anything else after a percent sign stays. */
import { GitError } from "../errors.ts";

/** `field` returns the text of a name, undefined for an unknown one. */
export function expandFields(format: string, command: string, field: (name: string) => string | undefined): string {
  let text = "";
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf("%", at);
    if (percent < 0) return text + format.slice(at);
    text += format.slice(at, percent);
    at = percent + 1;
    const next = format[at];
    const hex = /^x([0-9a-fA-F]{2})/.exec(format.slice(at, at + 3));
    if (next === "(") {
      const close = format.indexOf(")", at);
      if (close < 0) {
        throw new GitError("EINVAL", `bad ${command} format: element '${format.slice(at)}' does not end in ')'`);
      }
      const value = field(format.slice(at + 1, close));
      if (value === undefined) throw new GitError("EINVAL", `bad ${command} format: %${format.slice(at, close + 1)}`);
      text += value;
      at = close + 1;
    } else if (next === "%") {
      text += "%";
      at++;
    } else if (next === "n") {
      text += "\n";
      at++;
    } else if (hex) {
      text += String.fromCharCode(Number.parseInt(hex[1] as string, 16));
      at += 3;
    } else if (next === undefined) return `${text}%`;
    else throw new GitError("EINVAL", `bad ${command} format: element '${format.slice(at)}' does not start with '('`);
  }
  return text;
}
