/** "Writing objects:  42% (21/50)": one line that is overwritten until it ends with "done.". */
export class ProgressLine {
  readonly #title: string;
  readonly #out: (text: string) => void;
  #percent = -1;

  constructor(title: string, out: (text: string) => void) {
    this.#title = title;
    this.#out = out;
  }

  /** Printed again only if the percentage changes. `end` prints the total. */
  print(done: number, total: number): void {
    const percent = Math.floor((100 * done) / total);
    if (percent === this.#percent || done >= total) return;
    this.#percent = percent;
    this.#out(`${this.#title}: ${String(percent).padStart(3)}% (${done}/${total})\r`);
  }

  /** `more` goes between the count and "done". */
  end(total: number, more = ""): void {
    this.#out(`${this.#title}: 100% (${total}/${total})${more}, done.\n`);
  }
}
