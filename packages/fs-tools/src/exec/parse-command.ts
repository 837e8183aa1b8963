/**
 * A shell string as simple commands, for an allow-list: only what can be read with certainty is taken apart. Words, quotes, plain
 * `$NAME`, and the separators `;`, `&&`, `||` and `|` are; everything by which a shell starts something else is refused.
 */
import { ToolError } from "../errors.ts";

export interface Word {
  text: string;
  /** Nothing in it is expanded: it is exactly this text. */
  literal: boolean;
}

/** The words of each simple command. Throws COMMAND_REFUSED for what it does not read. */
export function parseCommands(command: string): Word[][] {
  const commands: Word[][] = [];
  let words: Word[] = [];
  let word: { text: string; literal: boolean } | null = null;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (what: string) => {
    endWord();
    if (words.length === 0) throw refused(`a command is missing ${what}`);
    commands.push(words);
    words = [];
  };
  const put = (text: string, literal = true) => {
    word ??= { text: "", literal: true };
    word.text += text;
    word.literal &&= literal;
  };
  for (let at = 0; at < command.length; at++) {
    const char = command[at] as string;
    const next = command[at + 1];
    if (/[\0\n\r\v\f\u0085\u2028\u2029]/.test(char)) throw refused("line breaks and control characters");
    if (char === " " || char === "\t") endWord();
    else if (char === "'") {
      const end = command.indexOf("'", at + 1);
      if (end < 0) throw refused("a quote that is not closed");
      put(checkBreaks(command.slice(at + 1, end)));
      at = end;
    } else if (char === '"') at = doubleQuoted(command, at, put);
    else if (char === "\\") {
      if (next === undefined || /[\n\r]/.test(next)) throw refused("line breaks and control characters");
      put(next);
      at++;
    } else if (char === "$") at = variable(command, at, put);
    else if (char === "`") throw refused("command substitution");
    else if (char === "<" || char === ">") throw refused("redirection and process substitution");
    else if (char === "(" || char === ")" || char === "{" || char === "}")
      throw refused("groups, subshells and brace expansion");
    else if (char === "&" && next === "&") {
      endCommand("before &&");
      at++;
    } else if (char === "&") throw refused("background commands");
    else if (char === "|") {
      if (next === "&") throw refused("redirection and process substitution");
      endCommand("before |");
      if (next === "|") at++;
    } else if (char === ";") {
      if (next === ";") throw refused("case branches");
      endCommand("before ;");
    } else if (char === "#" && word === null) throw refused("comments");
    else put(char, !/[*?[\]~!^=%]/.test(char) || (char === "=" && words.length > 0));
  }
  endWord();
  if (words.length > 0) commands.push(words);
  if (commands.length === 0) throw refused("an empty command");
  return commands;
}

type Put = (text: string, literal?: boolean) => void;

function doubleQuoted(command: string, from: number, put: Put): number {
  put("");
  for (let at = from + 1; at < command.length; at++) {
    const char = command[at] as string;
    if (char === '"') return at;
    if (/[\n\r\0]/.test(char)) throw refused("line breaks and control characters");
    if (char === "`") throw refused("command substitution");
    if (char === "\\" && /["\\$`]/.test(command[at + 1] ?? "")) put(command[++at] as string);
    else if (char === "$" && /[A-Za-z0-9_({'"?!@*#-]/.test(command[at + 1] ?? "")) at = variable(command, at, put);
    else put(char);
  }
  throw refused("a quote that is not closed");
}

/** `$NAME` alone: every other expansion can hold, or become, a command. */
function variable(command: string, from: number, put: Put): number {
  const name = /^\$[A-Za-z_][A-Za-z0-9_]*/.exec(command.slice(from))?.[0];
  if (name === undefined) throw refused("substitution and expansion by a dollar sign");
  put(name, false);
  return from + name.length - 1;
}

function checkBreaks(text: string): string {
  if (/[\n\r\0]/.test(text)) throw refused("line breaks and control characters");
  return text;
}

function refused(what: string): ToolError {
  return new ToolError(
    "COMMAND_REFUSED",
    `The command was not run: ${what} cannot be checked against the list of allowed commands. Run plain commands one at a time.`,
  );
}
