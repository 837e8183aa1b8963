/**
 * The left side of `git log --graph`. Every pending commit has a column. A commit's own output goes through states: optionally
 * rows that make room for an octopus, the row with its mark, for a merge the row of its edges, then rows in which edges move left
 * until each is under its column; after that only padding. `mapping` has for each character of a row the target column of its
 * edge, -1 for none.
 */
import { RESET } from "../config/color.ts";
import type { Oid } from "../object/oid.ts";

type GraphState = "padding" | "skip" | "pre-commit" | "commit" | "post-merge" | "collapsing";

interface Column {
  readonly commit: Oid;
  readonly color: number;
}

export interface GraphCommit {
  readonly oid: Oid;
  /** Parents that will be shown, in order. */
  readonly parents: readonly Oid[];
  /** "*", or "o" for a boundary, "<", ">", "=", "+". */
  readonly mark: string;
}

/** A line under construction: its width is that of the text without colors. */
class GraphLine {
  text = "";
  width = 0;
  readonly #colors: readonly string[];

  constructor(colors: readonly string[]) {
    this.#colors = colors;
  }

  add(text: string): void {
    this.text += text;
    this.width += text.length;
  }

  column({ color }: Column, letter: string): void {
    const on = this.#colors[color];
    this.text += on === undefined ? letter : `${on}${letter}${RESET}`;
    this.width++;
  }
}

export class Graph {
  readonly #colors: readonly string[];
  #commit: GraphCommit = { oid: "" as Oid, parents: [], mark: "*" };
  #state: GraphState = "padding";
  #previousState: GraphState = "padding";
  #columns: Column[] = [];
  #newColumns: Column[] = [];
  #mapping: number[] = [];
  #oldMapping: number[] = [];
  #width = 0;
  #expansionRow = 0;
  #commitIndex = 0;
  #previousCommitIndex = 0;
  /** Direction of a merge's first-parent edge: 0 to the left, 1 straight down. */
  #mergeLayout = 0;
  /** How many columns the merge adds at its right. */
  #edgesAdded = 0;
  #previousEdgesAdded = 0;
  #color: number;

  /** `colors`: escape sequences to rotate; empty: no colors. */
  constructor(colors: readonly string[] = []) {
    this.#colors = colors;
    this.#color = Math.max(0, colors.length - 1);
  }

  get width(): number {
    return this.#width;
  }

  get isFinished(): boolean {
    return this.#state === "padding";
  }

  update(commit: GraphCommit): void {
    this.#commit = commit;
    this.#previousCommitIndex = this.#commitIndex;
    this.#updateColumns();
    this.#expansionRow = 0;
    if (this.#state !== "padding") this.#state = "skip";
    else this.#state = this.#needsRoom() ? "pre-commit" : "commit";
  }

  /** Lines up to the commit's mark, the last without its newline. */
  commitLines(): string {
    if (this.isFinished) return this.paddingLine();
    let text = "";
    for (;;) {
      const isCommit = this.#state === "commit";
      text += this.nextLine();
      if (isCommit || this.isFinished) return text;
      text += "\n";
    }
  }

  /** The remaining lines of this commit, the last without its newline; "" if none. */
  remainder(): string {
    if (this.isFinished) return "";
    const lines: string[] = [];
    do lines.push(this.nextLine());
    while (!this.isFinished);
    return lines.join("\n");
  }

  nextLine(): string {
    const line = new GraphLine(this.#colors);
    switch (this.#state) {
      case "padding":
        this.#drawPadding(line);
        break;
      case "skip":
        line.add("...");
        this.#enter(this.#needsRoom() ? "pre-commit" : "commit");
        break;
      case "pre-commit":
        this.#drawRoom(line);
        break;
      case "commit":
        this.#drawCommit(line);
        break;
      case "post-merge":
        this.#drawMergeEdges(line);
        break;
      case "collapsing":
        this.#drawCollapsing(line);
        break;
      default:
        this.#state satisfies never;
    }
    return this.#padded(line);
  }

  /** A line beside text of the commit, in any state of its graph. */
  paddingLine(): string {
    if (this.#state !== "commit") return this.nextLine();
    const line = new GraphLine(this.#colors);
    for (const column of this.#columns) {
      line.column(column, "|");
      const wide = column.commit === this.#commit.oid && this.#commit.parents.length > 2;
      line.add(wide ? " ".repeat((this.#commit.parents.length - 2) * 2) : " ");
    }
    this.#previousState = "padding";
    return this.#padded(line);
  }

  #padded(line: GraphLine): string {
    if (line.width < this.#width) line.add(" ".repeat(this.#width - line.width));
    return line.text;
  }

  #enter(state: GraphState): void {
    this.#previousState = this.#state;
    this.#state = state;
  }

  #updateColumns(): void {
    this.#columns = this.#newColumns;
    this.#newColumns = [];
    const { parents } = this.#commit;
    this.#mapping = new Array(2 * (this.#columns.length + parents.length)).fill(-1);
    this.#width = 0;
    this.#previousEdgesAdded = this.#edgesAdded;
    this.#edgesAdded = 0;
    const own = this.#columns.findIndex(({ commit }) => commit === this.#commit.oid);
    for (const [at, column] of this.#columns.entries()) {
      if (at === own) this.#insertParents(at, true);
      else this.#insert(column.commit, -1);
    }
    if (own < 0) this.#insertParents(this.#columns.length, false);
    while (this.#mapping.length > 1 && (this.#mapping.at(-1) as number) < 0) this.#mapping.pop();
  }

  #insertParents(at: number, hadColumn: boolean): void {
    const { parents } = this.#commit;
    this.#commitIndex = at;
    this.#mergeLayout = -1;
    for (const parent of parents) {
      if (parents.length > 1 || !hadColumn) this.#nextColor();
      this.#insert(parent, at);
    }
    // The mark itself takes two characters, with or without parents.
    if (parents.length === 0) this.#width += 2;
  }

  #nextColor(): void {
    if (this.#colors.length > 0) this.#color = (this.#color + 1) % this.#colors.length;
  }

  /** `from`: the merge's column when `commit` is a parent of the commit itself, else -1. */
  #insert(commit: Oid, from: number): void {
    let column = this.#newColumns.findIndex((one) => one.commit === commit);
    if (column < 0) {
      const known = this.#columns.find((one) => one.commit === commit);
      column = this.#newColumns.push({ commit, color: known?.color ?? this.#color }) - 1;
    }
    const { length } = this.#commit.parents;
    let position = this.#width;
    if (length > 1 && from > -1 && this.#mergeLayout === -1) {
      const distance = from - column;
      const shift = distance > 1 ? 2 * distance - 3 : 1;
      this.#mergeLayout = distance > 0 ? 0 : 1;
      this.#edgesAdded = length + this.#mergeLayout - 2;
      position = this.#width + (this.#mergeLayout - 1) * shift;
      this.#width += 2 * this.#mergeLayout;
    } else if (this.#edgesAdded > 0 && column === this.#mapping[this.#width - 2]) {
      // The merge's last edge and the adjacent branch lead to the same commit: they join at once.
      position = this.#width - 2;
      this.#edgesAdded = -1;
    } else this.#width += 2;
    this.#mapping[position] = column;
  }

  /** Parents of an octopus that are drawn with dashes. */
  get #dashed(): number {
    return this.#commit.parents.length + this.#mergeLayout - 3;
  }

  #needsRoom(): boolean {
    return (
      this.#commit.parents.length >= 3 &&
      this.#commitIndex < this.#columns.length - 1 &&
      this.#expansionRow < this.#dashed * 2
    );
  }

  #isMappingRight(): boolean {
    return this.#mapping.every((target, at) => target < 0 || target === at >> 1);
  }

  #drawPadding(line: GraphLine): void {
    for (const column of this.#newColumns) {
      line.column(column, "|");
      line.add(" ");
    }
  }

  #drawRoom(line: GraphLine): void {
    let seen = false;
    for (const [at, column] of this.#columns.entries()) {
      if (column.commit === this.#commit.oid) {
        seen = true;
        line.column(column, "|");
        line.add(" ".repeat(this.#expansionRow));
      } else if (seen && this.#expansionRow === 0) {
        const slanted = this.#previousState === "post-merge" && this.#previousCommitIndex < at;
        line.column(column, slanted ? "\\" : "|");
      } else line.column(column, seen ? "\\" : "|");
      line.add(" ");
    }
    this.#expansionRow++;
    if (!this.#needsRoom()) this.#enter("commit");
  }

  #drawCommit(line: GraphLine): void {
    let seen = false;
    for (let at = 0; at <= this.#columns.length; at++) {
      const column = this.#columns[at];
      if (column === undefined && seen) break;
      if (column === undefined || column.commit === this.#commit.oid) {
        seen = true;
        line.add(this.#commit.mark);
        if (this.#commit.parents.length > 2) this.#drawDashes(line);
      } else line.column(column, this.#besideCommit(at, seen));
      line.add(" ");
    }
    if (this.#commit.parents.length > 1) this.#enter("post-merge");
    else this.#enter(this.#isMappingRight() ? "padding" : "collapsing");
  }

  #besideCommit(at: number, seen: boolean): string {
    if (seen && this.#edgesAdded > 1) return "\\";
    if (seen && this.#edgesAdded === 1) {
      const slanted =
        this.#previousState === "post-merge" && this.#previousEdgesAdded > 0 && this.#previousCommitIndex < at;
      return slanted ? "\\" : "|";
    }
    const moving =
      this.#previousState === "collapsing" && this.#oldMapping[2 * at + 1] === at && (this.#mapping[2 * at] ?? -1) < at;
    return moving ? "/" : "|";
  }

  #drawDashes(line: GraphLine): void {
    const count = this.#dashed;
    for (let at = 0; at < count; at++) {
      const column = this.#newColumns[this.#mapping[(this.#commitIndex + at + 2) * 2] as number] as Column;
      line.column(column, "-");
      line.column(column, at === count - 1 ? "." : "-");
    }
  }

  #drawMergeEdges(line: GraphLine): void {
    const { parents } = this.#commit;
    let seen = false;
    let parentColumn: Column | undefined;
    for (let at = 0; at <= this.#columns.length; at++) {
      const column = this.#columns[at];
      if (column === undefined && seen) break;
      if (column === undefined || column.commit === this.#commit.oid) {
        seen = true;
        this.#drawParents(line);
      } else if (seen) {
        line.column(column, this.#edgesAdded > 0 ? "\\" : "|");
        line.add(" ");
      } else {
        line.column(column, "|");
        if (this.#mergeLayout !== 0 || at !== this.#commitIndex - 1) {
          if (parentColumn !== undefined) line.column(parentColumn, "_");
          else line.add(" ");
        }
      }
      if (column !== undefined && column.commit === parents[0]) parentColumn = column;
    }
    this.#enter(this.#isMappingRight() ? "padding" : "collapsing");
  }

  #drawParents(line: GraphLine): void {
    const { parents } = this.#commit;
    let slant = this.#mergeLayout;
    for (const [at, parent] of parents.entries()) {
      const column = this.#newColumns.find(({ commit }) => commit === parent) as Column;
      line.column(column, "/|\\"[slant] as string);
      if (slant < 2) slant++;
      else if (this.#edgesAdded > 0 || at < parents.length - 1) line.add(" ");
    }
    if (this.#edgesAdded === 0) line.add(" ");
  }

  #drawCollapsing(line: GraphLine): void {
    const { edge, target: edgeTarget } = this.#moveLeft();
    let usedHorizontal = false;
    for (const [at, target] of this.#mapping.entries()) {
      const column = this.#newColumns[target];
      if (target < 0 || column === undefined) line.add(" ");
      else if (target * 2 === at) line.column(column, "|");
      else if (target === edgeTarget && at !== edge - 1) {
        // Only the first piece of a horizontal line continues in the next row.
        if (at !== target * 2 + 3) this.#mapping[at] = -1;
        usedHorizontal = true;
        line.column(column, "_");
      } else {
        if (usedHorizontal && at < edge) this.#mapping[at] = -1;
        line.column(column, "/");
      }
    }
    if (this.#isMappingRight()) this.#enter("padding");
  }

  /** Moves every edge one step towards its column; one of them may go all the way, along a horizontal line. */
  #moveLeft(): { edge: number; target: number } {
    const before = this.#mapping;
    const after: number[] = new Array(before.length).fill(-1);
    let edge = -1;
    let edgeTarget = -1;
    const chooseHorizontal = (at: number, target: number, place: number) => {
      if (edge !== -1) return;
      edge = place;
      edgeTarget = target;
      for (let j = target * 2 + 3; j < at - 2; j += 2) after[j] = target;
    };
    for (const [at, target] of before.entries()) {
      if (target < 0) continue;
      if (target * 2 === at) after[at] = target;
      else if ((after[at - 1] as number) < 0) {
        after[at - 1] = target;
        chooseHorizontal(at, target, at);
      } else if (after[at - 1] !== target) {
        // Another edge is in the way: cross it.
        after[at - 2] = target;
        chooseHorizontal(at, target, at - 1);
      }
    }
    this.#oldMapping = [...after];
    if ((after.at(-1) ?? 0) < 0) after.pop();
    this.#mapping = after;
    return { edge, target: edgeTarget };
  }
}

const CODES = [31, 32, 33, 34, 35, 36];

/** git's rotation of colors: six, then the same in bold. */
export const graphColors: readonly string[] = ["", "1;"].flatMap((bold) => CODES.map((code) => `\x1b[${bold}${code}m`));
