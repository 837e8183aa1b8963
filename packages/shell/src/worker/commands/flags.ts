/** Flags of the small commands: letters without a value, letters with one, and their long names. An unknown flag is an error. */
export interface ParsedFlags {
  readonly has: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly words: readonly string[];
}

export interface FlagTable {
  /** Without a value. */
  readonly plain: string;
  readonly valued?: string;
  readonly long?: Readonly<Record<string, string>>;
}

/** A string is the error message, without the command's name. */
export function parseFlags(
  args: readonly string[],
  { plain, valued = "", long = {} }: FlagTable,
): ParsedFlags | string {
  const has = new Set<string>();
  const values = new Map<string, string>();
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (word === "--") {
      words.push(...args.slice(i + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    if (word.startsWith("--")) {
      const [name, ...rest] = word.split("=");
      const letter = long[name as string];
      if (letter === undefined) return `unrecognized option '${word}'`;
      if (!valued.includes(letter)) has.add(letter);
      else if (rest.length > 0) values.set(letter, rest.join("="));
      else if (i + 1 < args.length) values.set(letter, args[++i] as string);
      else return `option '${name}' requires an argument`;
      continue;
    }
    for (let at = 1; at < word.length; at++) {
      const letter = word[at] as string;
      if (valued.includes(letter)) {
        const joined = word.slice(at + 1);
        if (joined === "" && i + 1 >= args.length) return `option requires an argument -- '${letter}'`;
        values.set(letter, joined === "" ? (args[++i] as string) : joined);
        break;
      }
      if (!plain.includes(letter)) return `invalid option -- '${letter}'`;
      has.add(letter);
    }
  }
  return { has, values, words };
}
