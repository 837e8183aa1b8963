/**
 * Parses a shell string into simple commands, for an allow-list. It accepts only syntax that every shell reads alike: words,
 * quotes, globs, plain `$NAME`, and the separators `;`, `&&`, `||` and `|`. It refuses everything else: arithmetic, subscripts,
 * indirection, assignments, substitution, redirection, and unknown characters.
 */
import { ToolError } from "../../errors.ts";

export interface Word {
  text: string;
  /** No shell expands anything in it: it is exactly this text. */
  literal: boolean;
  /** It stays one word: nothing outside of quotes is expanded. */
  single: boolean;
}

/** The words of each simple command. Throws COMMAND_REFUSED for any other syntax. */
export function parseCommands(command: string): Word[][] {
  const commands: Word[][] = [];
  let words: Word[] = [];
  let word: Word | null = null;
  /** The last operator needs a command after it. */
  let isOpen = false;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (operator: string) => {
    endWord();
    if (words.length === 0) throw refused(`a command is missing before ${operator}`);
    commands.push(words);
    words = [];
    isOpen = operator !== ";";
  };
  const put = (text: string, literal = true, single = literal) => {
    word ??= { text: "", literal: true, single: true };
    word.text += text;
    word.literal &&= literal;
    word.single &&= single;
  };
  for (let at = 0; at < command.length; at++) {
    const char = command[at] as string;
    const next = command[at + 1];
    if (char === " " || char === "\t") endWord();
    else if (char === "'") {
      const end = command.indexOf("'", at + 1);
      if (end < 0) throw refused("a quote that is not closed");
      put(checkQuoted(command.slice(at + 1, end)));
      at = end;
    } else if (char === '"') at = doubleQuoted(command, at, put);
    else if (char === "\\") {
      if (next === undefined) throw refused("a backslash at the end");
      put(checkQuoted(next));
      at++;
    } else if (char === "$") at = variable(command, at, put);
    else if (char === "`") throw refused("command substitution");
    else if (char === "<" || char === ">") throw refused("redirection and process substitution");
    else if (char === "(" || char === ")" || char === "{" || char === "}")
      throw refused("groups, subshells and brace expansion");
    else if (char === "&" && next === "&") {
      endCommand("&&");
      at++;
    } else if (char === "&") throw refused("background commands");
    else if (char === "|") {
      if (next === "&") throw refused("redirection and process substitution");
      endCommand("|");
      if (next === "|") at++;
    } else if (char === ";") {
      if (next === ";") throw refused("case branches");
      endCommand(";");
    } else if (char === "#" && word === null) throw refused("comments");
    else if (char === "=" && words.length === 0) throw refused("an assignment");
    else if (!PLAIN.test(char)) throw refused("line breaks, control characters and unusual spaces");
    else put(char, !/[*?[\]~^%]/.test(char) && (char !== "!" || words.length > 0), !/[*?[\]]/.test(char));
  }
  endWord();
  if (words.length > 0) commands.push(words);
  else if (isOpen) throw refused("a command is missing at the end");
  if (commands.length === 0) throw refused("an empty command");
  return commands;
}

/** Outside of quotes: visible ASCII, and letters and digits of every script. */
const PLAIN = /^[!-~\p{L}\p{M}\p{N}\ud800-\udfff]$/u;

type Put = (text: string, literal?: boolean, single?: boolean) => void;

function doubleQuoted(command: string, from: number, put: Put): number {
  put("");
  for (let at = from + 1; at < command.length; at++) {
    const char = command[at] as string;
    if (char === '"') return at;
    if (char === "`") throw refused("command substitution");
    if (char === "\\" && /["\\$`]/.test(command[at + 1] ?? "")) put(command[++at] as string);
    else if (char === "$") at = variable(command, at, (text, literal) => put(text, literal, true));
    else put(checkQuoted(char));
  }
  throw refused("a quote that is not closed");
}

/** `$NAME` only: every other expansion can contain, or become, a command. */
function variable(command: string, from: number, put: Put): number {
  const name = /^\$[A-Za-z_][A-Za-z0-9_]*/.exec(command.slice(from, from + MAX_NAME))?.[0];
  if (name === undefined || name.length === MAX_NAME || command[from + name.length] === "[")
    throw refused("arithmetic, subscripts, substitution and every expansion but $NAME");
  put(name, false);
  return from + name.length - 1;
}

const MAX_NAME = 256;

function checkQuoted(text: string): string {
  if (/[\0-\x08\n-\x1f\x7f]/.test(text)) throw refused("line breaks and control characters");
  return text;
}

function refused(what: string): ToolError {
  return new ToolError(
    "COMMAND_REFUSED",
    `The command was not run: ${what} cannot be checked against the list of allowed commands. Run plain commands one at a time.`,
  );
}
