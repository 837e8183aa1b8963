/**
 * `--color-moved`: finds removed lines that reappear elsewhere in the same diff. A patch is written twice, first to collect all its
 * lines, then with their colors. A block is a run of lines that is also a run on the other side; one with fewer than 20 letters and
 * digits is ignored, and the next may begin with its second line.
 */
import type { DiffColors, MovedLinePainter, MovedOptions } from "../diff/diff-options.ts";

const MIN_LETTERS = 20;
const TAB = 8;
const latin1 = new TextDecoder("latin1");

type MovedLineKind = "old" | "new";

interface MovedLine {
  /** Null: a line of another kind, which ends a block. */
  readonly kind: MovedLineKind | null;
  /** Equal for lines that count as equal. */
  readonly same: number;
  readonly letters: number;
  /** Columns before the text; null: no text. */
  readonly indent: number | null;
  moved: boolean;
  alternate: boolean;
}

interface MovedCandidate {
  /** Where the block began on the other side. */
  readonly at: number;
  /** Difference in indentation of this side; null: only blank lines so far. */
  shift: number | null;
}

export class MovedLines implements MovedLinePainter {
  readonly #lines: MovedLine[] = [];
  readonly #known = new Map<string, number>();
  readonly #places: Record<MovedLineKind, number[]>[] = [];
  #settled = false;
  #next = 0;

  constructor(
    private readonly options: MovedOptions,
    private readonly colors: DiffColors,
  ) {}

  gap(): void {
    if (this.#settled) this.#next++;
    else this.#lines.push({ kind: null, same: -1, letters: 0, indent: null, moved: false, alternate: false });
  }

  paint(kind: MovedLineKind, bytes: Uint8Array): string | null {
    if (this.#settled) return this.#colorOf(this.#next++, kind);
    const text = latin1.decode(bytes).replace(/\n$/, () => "");
    const key = this.#keyOf(text);
    let same = this.#known.get(key);
    if (same === undefined) {
      same = this.#places.push({ old: [], new: [] }) - 1;
      this.#known.set(key, same);
    }
    this.#places[same]?.[kind].push(this.#lines.length);
    const letters = text.replace(/[^0-9A-Za-z]/g, () => "").length;
    this.#lines.push({ kind, same, letters, indent: indentWidth(text), moved: false, alternate: false });
    return null;
  }

  /** All lines are collected; from now on they are colored, in the same order. */
  flush(): void {
    this.#settled = true;
    let [end, alternate] = [-1, false];
    for (let at = 0; at < this.#lines.length; ) {
      const length = this.#blockAt(at);
      if (length === 0) {
        at++;
        continue;
      }
      alternate = at === end && this.#lines[at]?.kind === this.#lines[at - 1]?.kind && !alternate;
      for (end = at + length; at < end; at++) {
        const line = this.#lines[at] as MovedLine;
        line.moved = true;
        line.alternate = alternate && this.options.mode.endsWith("zebra");
      }
    }
  }

  #keyOf(text: string): string {
    const blank = /[ \t\n\v\f\r]+/g;
    switch (this.options.whitespace) {
      case "none":
        return text;
      case "at-eol":
        return text.trimEnd();
      case "change":
        return text.replace(blank, () => " ").trimEnd();
      case "all":
        return text.replace(blank, () => "");
      case "indentation":
        return text.trim() === "" ? "" : text.replace(/^[\f\v\r]*[ \t]*/, () => "");
      default:
        return this.options.whitespace satisfies never;
    }
  }

  /** Number of lines from here that moved together; 0: none. */
  #blockAt(at: number): number {
    const { kind, same, indent } = this.#lines[at] as MovedLine;
    if (kind === null) return 0;
    const other = kind === "old" ? "new" : "old";
    let candidates = (this.#places[same] as Record<MovedLineKind, number[]>)[other].map(
      (position): MovedCandidate => ({
        at: position,
        shift: indent === null ? null : indent - (this.#lines[position]?.indent ?? 0),
      }),
    );
    if (candidates.length === 0) return 0;
    if (this.options.mode === "plain") return 1;
    let letters = 0;
    for (let length = 1; ; length++) {
      letters += (this.#lines[at + length - 1] as MovedLine).letters;
      const next = this.#lines[at + length];
      candidates = next?.kind === kind ? candidates.filter((one) => this.#goesOn(one, length, next, other)) : [];
      if (candidates.length === 0) return letters >= MIN_LETTERS ? length : 0;
    }
  }

  #goesOn(candidate: MovedCandidate, length: number, line: MovedLine, other: MovedLineKind): boolean {
    const beside = this.#lines[candidate.at + length];
    if (beside?.kind !== other || beside.same !== line.same) return false;
    if (this.options.whitespace !== "indentation" || line.indent === null) return true;
    const shift = line.indent - (beside.indent ?? 0);
    candidate.shift ??= shift;
    return candidate.shift === shift;
  }

  #colorOf(at: number, kind: MovedLineKind): string | null {
    const { moved, alternate } = this.#lines[at] as MovedLine;
    if (!moved) return null;
    const dimmed =
      this.options.mode === "dimmed-zebra" && ![at - 1, at + 1].some((place) => this.#differs(place, alternate));
    return this.colors.moved[kind][(alternate ? 1 : 0) + (dimmed ? 2 : 0)] as string;
  }

  #differs(at: number, alternate: boolean): boolean {
    const line = this.#lines[at];
    return line?.moved === true && line.alternate !== alternate;
  }
}

function indentWidth(text: string): number | null {
  if (text.trim() === "") return null;
  let width = 0;
  for (const letter of /^[\f\v\r]*([ \t]*)/.exec(text)?.[1] ?? "") {
    width += letter === "\t" ? TAB - (width % TAB) : 1;
  }
  return width;
}
