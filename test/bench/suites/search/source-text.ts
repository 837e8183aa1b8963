/**
 * Text like source code, from a seed: identifiers of one to three words of a vocabulary that itself comes from the seed, some
 * frequent and most rare, in the statements of a TypeScript project. Lines repeat within a tree as they do in a real one.
 */

import { Random } from "../../../support/random.ts";
import type { TextFile } from "../../contender.ts";

const ONSETS = [
  "b",
  "br",
  "c",
  "ch",
  "cl",
  "d",
  "dr",
  "f",
  "fl",
  "g",
  "gr",
  "h",
  "l",
  "m",
  "n",
  "p",
  "pr",
  "r",
  "s",
  "sh",
  "st",
  "t",
  "tr",
  "v",
  "w",
];
const VOWELS = ["a", "e", "i", "o", "u", "ea", "ou", "ai", "ie", "er", "or", "ar"];
const CODAS = ["", "", "", "n", "r", "t", "s", "l", "ck", "nt", "st", "sk", "m", "ng"];
/** The head of the vocabulary, so the most frequent. */
const COMMON = `get set user session token index create update remove path file entry value key name list map state node
  error result request response handler event queue cache buffer stream reader writer config option default count total size
  offset limit page cursor item group field record table column query filter parse format render layout style theme button form
  input label text message channel socket server client route router context scope parent child root leaf tree graph edge model
  view schema version change commit branch merge diff patch worker thread task job timer clock date time zone locale`.split(
  /\s+/,
);
const WORDS = 3000;
const POOL_LINES = 20_000;
/** Of the lines of a file; the rest come from the pool. */
const FRESH_LINES = 0.15;
const EXTENSIONS = ["ts", "ts", "ts", "tsx", "js", "json", "md", "css", "py"];
const DIRECTORY_NAMES = 240;
const FILES_PER_DIRECTORY = 10;
const MAX_DEPTH = 6;

export interface SourceTree {
  directories: string[];
  files: TextFile[];
}

export class SourceText {
  readonly #random: Random;
  readonly #words: string[];
  readonly #pool: string[];

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#words = [...COMMON, ...Array.from({ length: WORDS - COMMON.length }, () => this.#makeWord())];
    this.#pool = Array.from({ length: POOL_LINES }, () => this.#line());
  }

  tree(root: string, count: number, meanBytes: number): SourceTree {
    const directories = this.#directories(root, Math.max(1, Math.round(count / FILES_PER_DIRECTORY)));
    const files = Array.from({ length: count }, (_, at) => {
      const directory = directories[at] ?? this.#random.pick(directories);
      const name = `${this.#word()}-${this.#word()}${at}.${this.#random.pick(EXTENSIONS)}`;
      return this.#file(`${directory}/${name}`, meanBytes * (0.2 + 1.6 * this.#random.next()));
    });
    return { directories, files };
  }

  /** An identifier that is nowhere in a tree made before: of words that are there, with one that is not. */
  rareName(): string {
    return this.#identifier() + capital(this.#makeWord() + this.#makeWord()) + capital(this.#word());
  }

  /** Puts a line into a file, at a line's end somewhere in the middle. */
  plant(file: TextFile, line: string): void {
    const at = file.text.indexOf("\n", this.#random.between(0, file.text.length >> 1)) + 1;
    replaceText(file, `${file.text.slice(0, at)}${line}\n${file.text.slice(at)}`);
  }

  #directories(root: string, count: number): string[] {
    const names = Array.from({ length: DIRECTORY_NAMES }, () => this.#word());
    const created = [{ path: root, depth: 0 }];
    const seen = new Set([root]);
    while (created.length < count) {
      const parent = this.#random.pick(created);
      const path = `${parent.path}/${this.#random.pick(names)}`;
      if (parent.depth === MAX_DEPTH || seen.has(path)) continue;
      seen.add(path);
      created.push({ path, depth: parent.depth + 1 });
    }
    return created.map(({ path }) => path);
  }

  #file(path: string, bytes: number): TextFile {
    const parts = [`// ${path.slice(path.lastIndexOf("/") + 1)}\n`];
    if (this.#random.next() < 0.05) parts.push("// naïve – “quoted” – 作業場 🗂\n");
    for (let length = parts[0]!.length; length < bytes; ) {
      const line = this.#random.next() < FRESH_LINES ? this.#line() : this.#random.pick(this.#pool);
      parts.push(line);
      length += line.length;
    }
    const file = { path, text: "", bytes: 0 };
    replaceText(file, parts.join(""));
    return file;
  }

  #line(): string {
    const indent = "  ".repeat(this.#random.between(0, 4));
    return `${indent}${this.#statement()}\n`;
  }

  #statement(): string {
    const name = () => this.#identifier();
    const kind = this.#random.between(0, 99);
    if (kind < 12) return `const ${name()} = ${name()}(${name()}, ${name()});`;
    if (kind < 20) return `const { ${name()}, ${name()} } = await this.${name()}.${name()}(${name()});`;
    if (kind < 28) return `if (${name()}.${name()} === "${this.#word()}") return ${name()};`;
    if (kind < 34) return `return ${name()}.${name()}((${name()}) => ${name()}.${name()});`;
    if (kind < 40)
      return `import { ${capital(name())}, type ${capital(name())} } from "./${this.#word()}-${this.#word()}.ts";`;
    if (kind < 52) return `// ${Array.from({ length: this.#random.between(4, 12) }, () => this.#word()).join(" ")}.`;
    if (kind < 58) return `this.${name()}.set(${name()}, ${name()} ?? ${this.#random.between(0, 9999)});`;
    if (kind < 64) return `readonly ${name()}: ${capital(name())}<${capital(name())}>;`;
    if (kind < 68) return `throw new ${capital(name())}(\`\${${name()}} ${this.#word()} ${this.#word()}\`);`;
    if (kind < 74) return `"${name()}": "${this.#word()} ${this.#word()}",`;
    if (kind < 80) return `for (const ${name()} of ${name()}.${name()}()) ${name()}++;`;
    if (kind < 88) return this.#random.pick(["}", "});", "", "} else {", "]);", "};"]);
    if (kind < 94) return `expect(${name()}.${name()}).toEqual(${this.#random.between(0, 999)});`;
    if (kind < 98) return `${name()}.${name()} = ${name()};`;
    return `export ${this.#random.pick(["", "async "])}function ${name()}(${name()}: ${capital(name())}) {`;
  }

  #identifier(): string {
    let text = this.#word();
    for (let more = this.#random.between(0, 2); more > 0; more--) text += capital(this.#word());
    return text;
  }

  /** The first of the vocabulary are frequent, the last rare. */
  #word(): string {
    const at = Math.floor(WORDS * this.#random.next() ** 3);
    return this.#words[at] as string;
  }

  #makeWord(): string {
    let word = "";
    for (let syllables = this.#random.between(1, 3); syllables > 0; syllables--) {
      word += this.#random.pick(ONSETS) + this.#random.pick(VOWELS) + this.#random.pick(CODAS);
    }
    return word;
  }
}

/** Through bytes and back: a flat string, so that flattening a rope is not timed. */
function replaceText(file: TextFile, text: string): void {
  const encoded = new TextEncoder().encode(text);
  file.text = new TextDecoder().decode(encoded);
  file.bytes = encoded.byteLength;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
