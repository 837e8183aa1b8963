/** A server's capabilities: words in protocol 0 and 1, lines in protocol 2. */

export class Capabilities {
  readonly #values = new Map<string, string[]>();

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word === "") continue;
      const equals = word.indexOf("=");
      const name = equals < 0 ? word : word.slice(0, equals);
      const value = equals < 0 ? "" : word.slice(equals + 1);
      this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  getAll(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Protocol 2: whether a command has a feature, `fetch=shallow filter`. */
  hasFeature(command: string, feature: string): boolean {
    return this.get(command)?.split(" ").includes(feature) ?? false;
  }
}
