/** The secrets of a command line: `--password x`, `-u user:x`, `mysql -px`, `vault login x`, `aws configure set secret_key x`. */
import { type CountSteps, isReference, REDACTED } from "./redacted.ts";
import { assignsSecrets, takesSecret } from "./secret-commands.ts";
import { isSecretName, isWeakSecretName } from "./secret-names.ts";
import { type OptionSecret, optionSecret } from "./secret-options.ts";
import { SECRET_SHAPE } from "./secret-shapes.ts";

const WORD = /[^\s"'`;|&()<>]+/g;
const SEPARATOR = /[;|&()\n]/;
const VALUE_AFTER =
  /(?:[ \t]|\\\n)+((?:"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|'[^']*(?:'|$)|\\[\s\S]|[^\s"'\\;|&()<>]+)+)/y;

export function redactOptions(text: string, work: CountSteps): string {
  if (!/\s/.test(text)) return text;
  const parts: string[] = [];
  let command = new CommandWords();
  let from = 0;
  let end = 0;
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    work(1);
    const [word] = match;
    // A backslash continues a line.
    if (SEPARATOR.test(text.slice(end, match.index).replace(/\\\n/g, " ")) && !text.startsWith("\\\n", end - 1))
      command = new CommandWords();
    end = WORD.lastIndex;
    const found = command.secretOf(word);
    command.add(word);
    if (found === null) continue;
    const start = match.index + found.shown.length;
    if (found.glued !== "") {
      parts.push(text.slice(from, start), redactOption(found.kind, found.glued));
      from = end;
      continue;
    }
    VALUE_AFTER.lastIndex = end;
    const value = VALUE_AFTER.exec(text);
    const given = value?.[1];
    if (given === undefined || given.startsWith("-") || given === "\\" || (found.isWord && !isPlainValue(given)))
      continue;
    const quote = /^(["'])[\s\S]*\1$/.exec(given)?.[1] ?? "";
    const inner = quote === "" ? given : given.slice(1, -1);
    const safe = redactOption(found.kind, inner);
    if (safe === inner) continue;
    const valueEnd = VALUE_AFTER.lastIndex;
    parts.push(text.slice(from, valueEnd - given.length), safe);
    from = end = WORD.lastIndex = valueEnd;
    command.add(inner);
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** After a word, not an option, a value follows; `config set token = x` is an assignment. */
function isPlainValue(given: string): boolean {
  return !/^[=:{[|]/.test(given);
}

/** The words of a command so far: they decide what the next word or option is. */
export class CommandWords {
  /** The program and the words after it that are no options. */
  readonly #words: string[] = [];
  readonly #flags: string[] = [];

  add(word: string): void {
    if (word.startsWith("-")) {
      if (this.#flags.length < 8) this.#flags.push(word);
      return;
    }
    if (/^\w+=/.test(word)) return;
    const name = word.slice(word.lastIndexOf("/") + 1);
    if (this.#words.length === 0 ? !WRAPPERS.has(name) : this.#words.length < 6) this.#words.push(name);
  }

  /** `glued`: the value, if it is in the same word; else it is the next word. Null: no secret. */
  secretOf(word: string): FoundSecret | null {
    if (word.startsWith("-")) return this.#option(word);
    const equals = word.indexOf("=");
    if (equals > 0 && assignsSecrets(this.#words))
      return { shown: word.slice(0, equals + 1), kind: "value", glued: word.slice(equals + 1), isWord: false };
    if (takesSecret(this.#words, this.#flags)) return { shown: "", kind: "value", glued: word, isWord: false };
    if (equals >= 0 || (this.#words.length === 0 && !/^(?:requirepass|masterauth)$/.test(word))) return null;
    const names =
      /^(?:requirepass|masterauth|(?:owner|user)_pw)$/.test(word) ||
      (isSecretName(word.slice(word.lastIndexOf("/") + 1)) && this.#words.some((one) => SETTERS.test(one)));
    return names ? { shown: word, kind: "value", glued: "", isWord: true } : null;
  }

  #option(word: string): FoundSecret | null {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const known = optionSecret(this.#words, name);
    if (known !== undefined)
      return equals < 0
        ? { shown: word, kind: known, glued: "", isWord: false }
        : { shown: word.slice(0, equals + 1), kind: known, glued: word.slice(equals + 1), isWord: false };
    // `--secret name value` of a command that sets one: the name follows.
    const isFlag = word === "--secret" && this.#words.some((one) => SETTERS.test(one));
    const isNamed = word.length > 3 && (isSecretName(name) || (word.startsWith("--") && isWeakSecretName(name)));
    if (equals < 0 && isNamed && !isFlag) return { shown: word, kind: "value", glued: "", isWord: false };
    if (word.startsWith("--")) return null;
    for (const length of [2, 3]) {
      const short = word.slice(0, length);
      const kind = word.length > length ? optionSecret(this.#words, short) : undefined;
      if (kind !== undefined) return { shown: short, kind, glued: word.slice(length), isWord: false };
    }
    return null;
  }
}

export interface FoundSecret {
  /** The beginning of the word that stays. */
  shown: string;
  kind: OptionSecret;
  glued: string;
  /** Of a word that is no option. */
  isWord: boolean;
}

/** Programs that start another program. */
const WRAPPERS = new Set(["sudo", "env", "time", "nohup", "exec", "command", "xargs", "nice", "timeout", "bash", "sh"]);
/** Words of commands that take a name and a value. */
const SETTERS = /^(?:set|config|configure|add|machine|login)$/;

export function redactOption(kind: OptionSecret, value: string): string {
  if (isReference(value)) return value;
  if (kind === "value") return REDACTED;
  if (kind === "assignment") return value.replace(/=.*$/s, () => `=${REDACTED}`);
  if (kind === "cookie") return value.includes("=") ? REDACTED : value;
  const colon = value.search(/[:%]/);
  if (colon < 0 || /^\d*:\d*$/.test(value) || value.includes("://")) return value.replace(SECRET_SHAPE, () => REDACTED);
  return `${value.slice(0, colon + 1)}${REDACTED}`;
}
