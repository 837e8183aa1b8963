/** Sets of characters: a table for the first 256, ranges beyond. */

export class CharSet {
  readonly #low = new Uint8Array(256);
  readonly #ranges: [number, number][] = [];
  #negated = false;

  addRange(first: number, last: number): this {
    for (let code = first; code <= Math.min(last, 255); code++) this.#low[code] = 1;
    if (last > 255) this.#ranges.push([Math.max(first, 256), last]);
    return this;
  }

  add(code: number): this {
    return this.addRange(code, code);
  }

  addWhere(test: (letter: string) => boolean): this {
    for (let code = 0; code < 128; code++) if (test(String.fromCharCode(code))) this.#low[code] = 1;
    return this;
  }

  /** Both cases of every letter that is in it. */
  foldCase(): this {
    for (let code = 65; code <= 90; code++) {
      if (this.#low[code] || this.#low[code + 32]) this.#low[code] = this.#low[code + 32] = 1;
    }
    for (const [first, last] of [...this.#ranges]) {
      if (last - first > 4096) continue;
      for (let code = first; code <= last; code++) {
        const letter = String.fromCodePoint(code);
        for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
          const point = other.codePointAt(0) as number;
          if (String.fromCodePoint(point) === other) this.add(point);
        }
      }
    }
    return this;
  }

  negate(): this {
    this.#negated = true;
    return this;
  }

  has(code: number): boolean {
    const found =
      code < 256 ? this.#low[code] === 1 : this.#ranges.some(([first, last]) => code >= first && code <= last);
    return found !== this.#negated;
  }
}

export const isWordCode = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);

/** `[:alpha:]` and the others, in the C locale. */
export const NAMED: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /[ \t\n\v\f\r]/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  print: /[ -~]/,
  graph: /[!-~]/,
  cntrl: /[\x00-\x1f\x7f]/,
  xdigit: /[0-9A-Fa-f]/,
};
