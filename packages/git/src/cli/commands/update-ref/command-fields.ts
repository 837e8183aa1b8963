/** The commands of `update-ref --stdin` and their fields: lines with blanks and quotes, or fields that end with NUL. */
import { GitError } from "../../../errors.ts";
import { unquotePath } from "../../../quote-path.ts";

export interface CommandFields {
  readonly nul: boolean;
  first(): string;
  /** Undefined: the line has no more; where NUL ends fields, each must be there. */
  next(command: string, what: "new" | "old"): string | undefined;
  /** All that is left of the command. */
  rest(): string;
  /** Nothing may be left. */
  end(command: string): void;
}

const WITH_FIELDS = ["update", "create", "delete", "verify", "option"];
const ALONE = ["start", "prepare", "abort", "commit"];

export function* commandsIn(text: string, nul: boolean): Iterable<{ name: string; fields: CommandFields }> {
  const end = nul ? "\0" : "\n";
  const parts = text.split(end).map((part, i, all) => (i < all.length - 1 ? part + end : part));
  if (parts.at(-1) === "") parts.pop();
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string;
    const line = nul ? trimmed(part, end) : part;
    const word = trimmed(part, end);
    if (word === "") throw fatal("empty command in input");
    if (/^\s/.test(word)) throw fatal(`whitespace before command: ${line}`);
    const name = word.split(" ", 1)[0] as string;
    const known = name === word ? ALONE.includes(name) : WITH_FIELDS.includes(name);
    if (!known) throw fatal(`unknown command: ${line}`);
    const rest = part.slice(name.length + 1);
    yield {
      name,
      fields: nul ? endedFields(trimmed(rest, end), () => parts[++at]) : new LineFields(rest),
    };
  }
}

function endedFields(first: string, following: () => string | undefined): CommandFields {
  return {
    nul: true,
    first: () => first,
    next(command, what) {
      const value = following();
      if (value === undefined) throw fatal(`${command}: unexpected end of input when reading <${what}value>`);
      return trimmed(value, "\0");
    },
    rest: () => first,
    end() {},
  };
}

class LineFields implements CommandFields {
  readonly nul = false;

  /** With the newline that ends it. */
  constructor(private text: string) {}

  first(): string {
    return this.argument();
  }

  next(command: string): string | undefined {
    if (this.text === "" || this.text === "\n") return undefined;
    if (!this.text.startsWith(" ")) throw fatal(`${command}: expected SP but got: ${this.text}`);
    this.text = this.text.slice(1);
    return this.argument();
  }

  rest(): string {
    return trimmed(this.text, "\n");
  }

  end(command: string): void {
    if (this.text !== "\n") throw fatal(`${command}: extra input: ${this.text}`);
  }

  private argument(): string {
    const { text } = this;
    if (!text.startsWith('"')) {
      const value = /^[^\s]*/.exec(text)?.[0] ?? "";
      this.text = text.slice(value.length);
      return value;
    }
    const quoted = unquotePath(text);
    if (quoted === null) throw fatal(`badly quoted argument: ${text}`);
    this.text = text.slice(quoted.end);
    if (!/^(\s|$)/.test(this.text)) throw fatal(`unexpected character after quoted argument: ${text}`);
    return quoted.value;
  }
}

function trimmed(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -1) : text;
}

function fatal(message: string): GitError {
  return new GitError("EINVAL", message);
}
