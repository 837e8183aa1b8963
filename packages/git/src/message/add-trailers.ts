/** `commit --trailer`: places a new trailer and treats existing ones as `trailer.*` in the configuration says. */
import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import { parseTrailers, separatorAt, type Trailer, type TrailerOptions } from "./trailers.ts";

export function trailerOptions(config: GitConfig): TrailerOptions {
  const names = config.subsections("trailer");
  const keys = names.flatMap((name) => config.get(`trailer.${name}.key`) ?? []);
  return { separators: config.get("trailer.separators") ?? ":", known: [...names, ...keys] };
}

/** `input`: `<key>[(=|:)<value>]`. */
export function addTrailers(text: string, input: readonly string[], config: GitConfig): string {
  const message = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const rules = new TrailerRules(config);
  const { trailers, start, end } = parseTrailers(message, trailerOptions(config));
  const placed = trailers.map((trailer) => (trailer.key === null ? trailer : rules.make(trailer.key, trailer.value)));
  for (const word of input) rules.place(placed, word);
  if (placed.length === 0) return message;
  const head = message.slice(0, start);
  const gap = trailers.length > 0 || start === 0 || head.endsWith("\n\n") ? "" : "\n";
  return `${head}${gap}${placed.map(({ raw }) => `${raw}\n`).join("")}${message.slice(end)}`;
}

class TrailerRules {
  readonly #aliases: readonly string[];
  readonly #separators: string;

  constructor(private readonly config: GitConfig) {
    this.#aliases = config.subsections("trailer");
    this.#separators = trailerOptions(config).separators as string;
  }

  /** The trailer as git writes it, with the key that the token abbreviates. */
  make(token: string, value: string): Trailer {
    const key = this.#own(token, "key") ?? token;
    const isEnded = this.#separators.includes(key.trimEnd().at(-1) as string);
    return { key, value, raw: isEnded ? key + value : `${key}${this.#separators[0]} ${value}` };
  }

  place(placed: Trailer[], word: string): void {
    const at = separatorAt(word, `=${this.#separators}`);
    const token = (at < 0 ? word : word.slice(0, at)).trim();
    if (token === "")
      throw new GitError("EINVAL", `empty trailer token in trailer '${word}'`, { prefix: "error", exitCode: 128 });
    const created = this.make(token, at < 0 ? "" : word.slice(at + 1).trim());
    const setting = (name: string, usual: string) =>
      (this.#own(token, name) ?? this.config.get(`trailer.${name}`) ?? usual).toLowerCase();
    const where = setting("where", "end");
    const isAfter = where === "end" || where === "after";
    const isSame = ({ key }: Trailer) => key !== null && bare(key) === bare(created.key as string);
    const found = isAfter ? placed.findLastIndex(isSame) : placed.findIndex(isSame);
    if (found < 0) {
      if (setting("ifmissing", "add") !== "donothing") placed.splice(isAfter ? placed.length : 0, 0, created);
      return;
    }
    const edge = isAfter ? placed.length - 1 : 0;
    const beside = where === "after" || where === "before" ? found : edge;
    const says = (other: Trailer) => isSame(other) && other.value === created.value;
    const exists = setting("ifexists", "addIfDifferentNeighbor");
    if (exists === "donothing") return;
    if (exists === "addifdifferentneighbor" && says(placed[beside] as Trailer)) return;
    if (exists === "addifdifferent" && placed.some(says)) return;
    const old = placed[found] as Trailer;
    placed.splice(isAfter ? beside + 1 : beside, 0, created);
    if (exists === "replace") placed.splice(placed.indexOf(old), 1);
  }

  /** `trailer.<alias>.<name>` of the alias that starts with the token, or whose key does. */
  #own(token: string, name: string): string | undefined {
    const isShort = (whole = "") => whole.toLowerCase().startsWith(token.toLowerCase());
    const alias = this.#aliases.find((one) => isShort(one) || isShort(this.config.get(`trailer.${one}.key`)));
    return alias === undefined ? undefined : this.config.get(`trailer.${alias}.${name}`);
  }
}

/** Treats "Fixes #" and "fixes" as equal. */
function bare(key: string): string {
  return key.toLowerCase().replace(/(?<![^a-z0-9])[^a-z0-9]+$/, () => "");
}
