/**
 * Patterns thrown together of pieces of syntax, most of them no pattern at all: both sides must refuse the same ones, and mean
 * the same by the others. This is where the syntaxes of JavaScript, PCRE and Rust look alike.
 */
import type { Random } from "../../support/random.ts";
import type { Regex } from "./regex-tree.ts";
import { words } from "./words.ts";

const PLAIN = [...words`a b x 1 é σ K - , : = < > ! # _ foo & ~ /`, " "];
const GROUPS = words`
  ( ) ( ) (?: (?i) (?i: (?-i) (?x) (?x: (?s) (?m) (?-m) (?U) (?R) (?u) (?-u: (?P<n> (?<n> (?<m> (?'n' (?#c) (?> (?| (?= (?!
  (?<= (?<! (? (?) (?-) (?ii) (?i- (?< (?P=n) (?P>n) (?&n) (*FAIL) (?is-mx: (?^ (?1) (?:) ()
`;
const BRACKETS = words`
  [ ] [^ [] [^] [a-c] [^a] [a- -] [[:alpha:]] [:alpha:] [[:^digit:]] [[:x:]] [[.a.]] [[=a=]] && -- ~~ || [a&&b] [a-- [^^]
  [\b] [\w-z] [z-a] [\]] [#] [\x00a]
`;
const REPEATS = [
  ...words`* + ? *? +? ?? *+ ++ ?+ { } {1} {1,} {,1} {1,2} {2,1} {0} {} {a} {1 {1, {, {1,2}? {1}+ {01} {+1} {-1}`,
  ...["{ 1 }", "{1, 2}", "{ }", "{ ,1}", "{1 ,}", "{1 2}"],
];
const ESCAPES = [
  ...words`
    \ \\ \d \D \w \W \s \S \b \B \A \z \Z \G \K \R \X \h \H \v \V \N \e \0 \1 \k<n> \cA \Q \E \a \f \t \r \n \x4 \x41 \x{41}
    \x{} \x{110000} \x00 \u0041 \u{41} \u00 \U00000041 \U{41} \p{L} \pL \p{Lu \p{^Lu} \P{Greek} \p{sc=Grek} \p{sc!=Grek}
    \p{Nope} \p \pZ \p{} \b{start} \b{end} \b{ \b{start-half} \b{foo} \b{1} \b{2,} \< \> \_ \- \/ \# \& \~ \é \{ \} \] \) \| \^
    \$ \" \' \@
  `,
  ...["\\x{ 41 }", "\\x4 1", "\\p L", "\\b{ start }", "\\ ", "\\\t", "\\\u007f", "\\`"],
];
const OTHERS = [...words`^ $ . | || | ^ $ .* .+?`, "# c\n", "# b", "\n", "\t", "\u2003", "\u0085", "\u200e"];
const KINDS = [PLAIN, PLAIN, PLAIN, GROUPS, GROUPS, BRACKETS, BRACKETS, REPEATS, ESCAPES, ESCAPES, OTHERS];

/** Most with brackets at the end for those that are open, so that more of them are patterns. */
export function generateSoup(random: Random): Regex {
  const pieces = Array.from({ length: random.between(1, 7) }, () => random.pick(random.pick(KINDS)));
  if (random.next() < 0.15) pieces.unshift("(?x)");
  if (random.next() < 0.6) pieces.push(...closing(pieces.join("")));
  return { all: pieces.map((atom) => ({ atom, samples: PLAIN.includes(atom) ? [atom] : ["a", "b", "-", ""] })) };
}

/** What is open at the end, roughly: good enough to be right most of the time. */
function closing(text: string): string[] {
  const open: string[] = [];
  for (const [piece] of text.matchAll(/\\.|\[\^?\]?|[()\]]/gs)) {
    if (piece.startsWith("[")) open.push("]");
    else if (piece === "(" && open.at(-1) !== "]") open.push(")");
    else if (piece === open.at(-1)) open.pop();
  }
  return open.reverse();
}
