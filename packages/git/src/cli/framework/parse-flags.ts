/**
 * git's parse-options on a flag table. Everything it says, and where it says it, is git's: an unknown option prints usage on
 * stderr, a missing value only its line, an ambiguous abbreviation and `-h` usage on stdout; all exit with 129.
 *
 * A table may hold `short: "-NUM"` for git's `-<number>`, a `short` without a dash for a word that is an option (`git grep`'s
 * brackets), and a long name that begins with "--no-": then `--x` undoes `--no-x`.
 */
import { GitError } from "../../errors.ts";
import type { Command } from "./command.ts";
import type { Flag, FlagTable, ParsedFlags } from "./flag-table.ts";
import { usageText } from "./usage-text.ts";

/** The parts of a command that the parser needs; a subcommand (`git remote add`) brings its own. */
type Parsable<Flags extends FlagTable> = Pick<
  Command<Flags>,
  "usage" | "flags" | "stopAtNonOption" | "noAbbrev" | "unknownOption" | "missingValue" | "keepUnknownOptions"
>;

/** Not a user error: usage goes to stdout, but the exit code is still 129. */
export class UsageRequest extends GitError {
  constructor(
    readonly usage: string,
    message = "",
  ) {
    super("EUSAGE", message);
  }
}

interface FlagInput {
  name: string;
  flag: Flag;
  negated: boolean;
}

export function parseFlags<Flags extends FlagTable>(
  command: Parsable<Flags>,
  argv: readonly string[],
): ParsedFlags<Flags> {
  const parse = new FlagParse(command as unknown as Parsable<FlagTable>, argv);
  return parse.run() as unknown as ParsedFlags<Flags>;
}

class FlagParse {
  readonly #flags: Record<string, unknown> = {};
  readonly #args: string[] = [];
  readonly #order: { name: string; value: string | boolean; at: number; text: string }[] = [];
  readonly #command: Parsable<FlagTable>;
  readonly #argv: readonly string[];
  readonly #entries: [string, Flag][];
  #next = 0;
  /** The argument being parsed. */
  #current = "";

  constructor(command: Parsable<FlagTable>, argv: readonly string[]) {
    this.#command = command;
    this.#argv = argv;
    this.#entries = Object.entries(command.flags);
  }

  run(): ParsedFlags<FlagTable> {
    const { stopAtNonOption } = this.#command;
    const hasOwnH = this.#entries.some(([, flag]) => flag.short === "-h");
    if (this.#argv.length === 1 && this.#argv[0] === "-h" && !hasOwnH) throw this.#help();
    let afterDashes: string[] | null = null;
    while (this.#next < this.#argv.length) {
      const argument = this.#argv[this.#next++] as string;
      this.#current = argument;
      if (argument === "--") {
        afterDashes = this.#argv.slice(this.#next);
        break;
      }
      if (argument === "--end-of-options") {
        const rest = this.#argv.slice(this.#next);
        const dashes = rest.indexOf("--");
        // A command without a table parses its own options, and must know where they end.
        if (this.#command.keepUnknownOptions && this.#entries.length === 0) this.#args.push(argument);
        this.#args.push(...(dashes < 0 ? rest : rest.slice(0, dashes)));
        if (dashes >= 0) afterDashes = rest.slice(dashes + 1);
        break;
      }
      const word = this.#entries.find(([, flag]) => flag.short === argument && !argument.startsWith("-"));
      if (word !== undefined) this.#set(word[0], true);
      else if (argument.startsWith("--")) this.#long(argument);
      else if (argument.startsWith("-") && argument !== "-") this.#short(argument);
      else {
        this.#args.push(argument);
        if (!stopAtNonOption) continue;
        const rest = this.#argv.slice(this.#next);
        this.#args.push(...rest);
        break;
      }
    }
    this.#refuseUnsupported();
    return { flags: this.#flags, args: this.#args, afterDashes, order: this.#order } as ParsedFlags<FlagTable>;
  }

  #refuseUnsupported(): void {
    for (const [name, { long, short, unsupported }] of this.#entries) {
      const input = this.#flags[name];
      if (unsupported === undefined || input === undefined || input === false || input === "no") continue;
      const why = unsupported === "" ? "" : `: ${unsupported}`;
      throw new GitError("EUNSUPPORTED", `${long ?? short} is not supported here${why}`);
    }
  }

  #long(argument: string): void {
    const equals = argument.indexOf("=");
    const written = equals < 0 ? argument.slice(2) : argument.slice(2, equals);
    const value = equals < 0 ? undefined : argument.slice(equals + 1);
    if (written === "help" && !this.#entries.some(([, flag]) => flag.long === "--help")) throw this.#help();
    const given = this.#exactly(written) ?? (this.#command.noAbbrev ? null : this.#abbreviated(written));
    if (given === null) {
      this.#unknown(argument, `unknown option \`${argument.slice(2)}'`);
      return;
    }
    const displayed = `option \`${given.negated ? negation(given.flag) : given.flag.long?.slice(2)}'`;
    this.#take(given, value, displayed);
  }

  #exactly(written: string): FlagInput | null {
    for (const [name, flag] of this.#entries) {
      const long = flag.long?.slice(2);
      if (long === undefined) continue;
      if (written === long) return { name, flag, negated: false };
      if (!flag.noNegation && written === negation(flag)) return { name, flag, negated: true };
    }
    return null;
  }

  /** The one flag whose name or negation starts with `written`. Of several matches, git names the last two. */
  #abbreviated(written: string): FlagInput | null {
    if (written === "") return null;
    let found: FlagInput | null = null;
    let other: FlagInput | null = null;
    for (const [name, flag] of this.#entries) {
      const long = flag.long?.slice(2);
      if (long === undefined) continue;
      const plain = long.startsWith(written);
      if (!plain && (flag.noNegation || !negation(flag).startsWith(written))) continue;
      if (found !== null) other = found;
      found = { name, flag, negated: !plain };
    }
    if (found === null || other === null) return found;
    const [first, second] = [displayLong(other), displayLong(found)];
    throw new UsageRequest(usageText(this.#command), `ambiguous option: ${written} (could be ${first} or ${second})`);
  }

  #short(argument: string): void {
    for (let at = 1; at < argument.length; ) {
      const letter = String.fromCodePoint(argument.codePointAt(at) as number);
      const rest = argument.slice(at + letter.length);
      const digits = at === 1 ? /^-(\d+)$/.exec(argument)?.[1] : undefined;
      const numbered = digits && this.#entries.find(([, flag]) => flag.short === "-NUM");
      if (numbered) {
        this.#take({ name: numbered[0], flag: numbered[1], negated: false }, digits, "");
        return;
      }
      const entry = this.#entries.find(([, flag]) => flag.short === `-${letter}`);
      if (entry === undefined) {
        if (at === 1) this.#checkTypo(argument);
        if (letter === "h") throw this.#help();
        const retained = at === 1 ? argument : `-${argument.slice(at)}`;
        const unknown = letter.length === 1 && letter < "\u0080";
        this.#unknown(
          retained,
          unknown ? `unknown switch \`${letter}'` : `unknown non-ascii option in string: \`${argument}'`,
        );
        return;
      }
      const [name, flag] = entry;
      const takesRest = flag.value !== undefined && flag.value !== "count";
      this.#take({ name, flag, negated: false }, takesRest && rest !== "" ? rest : undefined, `switch \`${letter}'`);
      if (takesRest) return;
      if (at === 1 && rest !== "") this.#checkTypo(argument);
      at += letter.length;
    }
  }

  #checkTypo(argument: string): void {
    const word = argument.slice(1);
    if (word.length < 3) return;
    const similar = this.#entries.some(([, flag]) => flag.long?.slice(2).startsWith(word));
    if (similar || word.startsWith("no-"))
      throw new GitError("EUSAGE", `did you mean \`--${word}\` (with two dashes)?`);
  }

  #take({ name, flag, negated }: FlagInput, given: string | undefined, shown: string): void {
    if (negated) {
      if (given !== undefined) throw new GitError("EUSAGE", `${shown} takes no value`);
      this.#set(name, flag.value === "count" ? 0 : flag.value === "list" ? [] : false, false);
      return;
    }
    switch (flag.value) {
      case undefined:
      case "count": {
        if (given !== undefined) throw new GitError("EUSAGE", `${shown} takes no value`);
        const before = this.#flags[name];
        this.#set(name, flag.value === undefined ? true : (typeof before === "number" ? before : 0) + 1, true);
        return;
      }
      case "optional":
        this.#set(name, given ?? true, given ?? true);
        return;
      case "string":
        this.#set(name, given ?? this.#following(shown, flag.lastDefault));
        return;
      case "list": {
        const value = given ?? this.#following(shown, flag.lastDefault);
        this.#set(name, [...((this.#flags[name] as string[] | undefined) ?? []), value], value);
        return;
      }
      case "number": {
        const value = given ?? this.#following(shown);
        if (!/^\s*[+-]?\d+$/.test(value)) throw new GitError("EUSAGE", `${shown} expects a numerical value`);
        this.#set(name, Number(value), value);
        return;
      }
      default:
        flag.value satisfies never;
    }
  }

  #following(shown: string, lastDefault?: string): string {
    if (this.#next >= this.#argv.length && lastDefault !== undefined) return lastDefault;
    if (this.#next >= this.#argv.length)
      throw this.#command.missingValue?.(this.#current) ?? new GitError("EUSAGE", `${shown} requires a value`);
    return this.#argv[this.#next++] as string;
  }

  #set(name: string, value: unknown, reported: string | boolean = value as string): void {
    this.#flags[name] = value;
    this.#order.push({ name, value: reported, at: this.#args.length, text: this.#current });
  }

  #unknown(argument: string, message: string): void {
    const { keepUnknownOptions, unknownOption } = this.#command;
    if (keepUnknownOptions) this.#args.push(argument);
    else throw unknownOption?.(argument) ?? new GitError("EUSAGE", message, { hint: usageText(this.#command) });
  }

  #help(): UsageRequest {
    return new UsageRequest(usageText(this.#command));
  }
}

/** Without dashes. */
function negation({ long = "" }: Flag): string {
  return long.startsWith("--no-") ? long.slice(5) : `no-${long.slice(2)}`;
}

function displayLong({ flag, negated }: FlagInput): string {
  return negated ? `--${negation(flag)}` : (flag.long as string);
}
