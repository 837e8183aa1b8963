/** Globs that backtrack, expand or nest without end, against names of 200 equal letters. */
const stars = (count: number) => `${"*a".repeat(count)}*b`;

export const hostileGlobs: readonly string[] = [
  stars(5),
  stars(30),
  stars(90),
  `${"**/".repeat(40)}x`,
  `${"**/*a".repeat(20)}/b`,
  "{a,b}".repeat(12),
  "{a,b}".repeat(100),
  `${"{".repeat(200)}a${"}".repeat(200)}`,
  "{1..1000000}",
  "{a,{b,{c,{d,{e,{f,{g,h}}}}}}}",
  `${"[a-z]".repeat(200)}!`,
  `${"?".repeat(250)}b`,
  `*(${"*(a)".repeat(8)})b`,
  "+(a|aa|aaa)b",
  "!(!(!(!(a))))",
  `${"[!b]*".repeat(40)}b`,
];
