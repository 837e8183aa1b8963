/** Parses the commands of `update-ref --stdin`: lines with blanks and quotes, or fields that end with NUL. */
import { GitError } from "../../../errors.ts";
import { unquotePath } from "../../../text/quote-path.ts";
import type { Stdin } from "../../framework/stdin.ts";

export interface CommandFields {
  readonly nul: boolean;
  first(): string;
  /** Undefined: the line has no more fields; with NUL separators, every field must be present. */
  next(command: string, what: "new" | "old"): Promise<string | undefined>;
  /** The rest of the command. */
  rest(): string;
  /** Fails if anything is left. */
  end(command: string): void;
}

const WITH_FIELDS = ["update", "create", "delete", "verify", "option"];
const ALONE = ["start", "prepare", "abort", "commit"];

export async function* commandsIn(stdin: Stdin, nul: boolean): AsyncGenerator<{ name: string; fields: CommandFields }> {
  const end = nul ? "\0" : "\n";
  const parts = stdin.lines(end, { ends: true });
  for (;;) {
    const { value: part, done } = await parts.next();
    if (done) return;
    const line = nul ? trimmed(part, end) : part;
    const word = trimmed(part, end);
    if (word === "") throw fatal("empty command in input");
    if (/^\s/.test(word)) throw fatal(`whitespace before command: ${line}`);
    const name = word.split(" ", 1)[0] as string;
    const known = name === word ? ALONE.includes(name) : WITH_FIELDS.includes(name);
    if (!known) throw fatal(`unknown command: ${line}`);
    const rest = part.slice(name.length + 1);
    const following = async () => {
      const next = await parts.next();
      return next.done ? undefined : next.value;
    };
    yield { name, fields: nul ? endedFields(trimmed(rest, end), following) : new LineFields(rest) };
  }
}

function endedFields(first: string, following: () => Promise<string | undefined>): CommandFields {
  return {
    nul: true,
    first: () => first,
    async next(command, what) {
      const value = await following();
      if (value === undefined) throw fatal(`${command}: unexpected end of input when reading <${what}value>`);
      return trimmed(value, "\0");
    },
    rest: () => first,
    end() {},
  };
}

class LineFields implements CommandFields {
  readonly nul = false;

  /** Includes the final newline. */
  constructor(private text: string) {}

  first(): string {
    return this.argument();
  }

  async next(command: string): Promise<string | undefined> {
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
