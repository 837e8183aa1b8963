/**
 * A parsed regular expression: the meaning of ripgrep's syntax, independent of its spelling. Flags are resolved (a set knows
 * whether it ignores case, an anchor whether it is of the line or of the text). Groups are gone: captures are not supported.
 */
import type { CharSet } from "./char-set.ts";

export type Look =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "line-start-crlf"
  | "line-end-crlf"
  | "word"
  | "not-word"
  | "word-start"
  | "word-end"
  | "word-start-half"
  | "word-end-half";

export type Node =
  | { readonly kind: "empty" }
  /** One character: `code` is present when it is exactly this one, and case is not ignored. */
  | { readonly kind: "set"; readonly set: CharSet; readonly code?: number; readonly folded?: number }
  /** `ascii`: only A–Z, a–z, 0–9 and _ are words. */
  | { readonly kind: "look"; readonly look: Look; readonly ascii: boolean }
  | { readonly kind: "concat"; readonly parts: readonly Node[] }
  /** The first that matches is preferred. */
  | { readonly kind: "alternate"; readonly options: readonly Node[] }
  | {
      readonly kind: "repeat";
      readonly node: Node;
      readonly min: number;
      /** Null: without end. */
      readonly max: number | null;
      /** As few as possible are preferred. */
      readonly lazy: boolean;
    };

export const EMPTY: Node = { kind: "empty" };

export function concat(parts: readonly Node[]): Node {
  return parts.length === 1 ? (parts[0] as Node) : parts.length === 0 ? EMPTY : { kind: "concat", parts };
}

export function alternate(options: readonly Node[]): Node {
  return options.length === 1 ? (options[0] as Node) : { kind: "alternate", options };
}

/** Whether it can match without taking a character. */
export function matchesEmpty(node: Node): boolean {
  switch (node.kind) {
    case "empty":
    case "look":
      return true;
    case "set":
      return false;
    case "concat":
      return node.parts.every(matchesEmpty);
    case "alternate":
      return node.options.some(matchesEmpty);
    case "repeat":
      return node.min === 0 || matchesEmpty(node.node);
    default:
      return node satisfies never;
  }
}

/** Whether some part of it satisfies `test`. */
export function some(node: Node, test: (node: Node) => boolean): boolean {
  if (test(node)) return true;
  switch (node.kind) {
    case "concat":
      return node.parts.some((part) => some(part, test));
    case "alternate":
      return node.options.some((option) => some(option, test));
    case "repeat":
      return some(node.node, test);
    default:
      return false;
  }
}
