/** The syntax tree of a POSIX regular expression. */
import type { CharSet } from "./char-set.ts";

export type Assertion = "line-start" | "line-end" | "word-start" | "word-end" | "word-edge" | "no-word-edge";

export type Node =
  | { readonly kind: "empty" }
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "all"; readonly parts: readonly Node[] }
  | { readonly kind: "any"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly inner: Node; readonly min: number; readonly max: number };
