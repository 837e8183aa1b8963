/** Random globs of `include` and `exclude`, and random lines of ignore files. */
import type { Random } from "../../support/random.ts";
import { words } from "./words.ts";

const GLOBS = words`
  *.ts **/*.ts *.{ts,md} *.{py,rs,log} src/** /a a a/ [ab].* ?.ts **/b/** a* *.TS !*.md /*.ts ** .* {a,b}/* é* [!a]*
  a/**/*.md \[x].ts *.{ts,{md,log}} {,a}.ts
`;
const RULES = [
  ...words`
    *.log a b src lib/ /a /a.ts *.ts *.md a/b a/* **/b b/** a/**/z [ab].ts node_modules é ?.rs * */ .hid .env !*.ts \[x].ts
    -dash \#x \!a /* !*/ **/ /**/a
  `,
  ...["# a comment", "", "a b.txt", "z  "],
];
const NAMES = words`a b src lib a.ts z é .hid A a.log README.md a-b`;
/** Pieces of a name. */
const PIECES = words`a b * * ? .ts .md . [ab] [a-c] \a \* é s A - _`;
/** Not in ignore files, where git and ripgrep read them differently: see differences.ts. */
const OF_GLOBS = [...PIECES, ...words`[!a] [^b]`];

export function generateGlob(random: Random): string {
  if (random.next() < 0.5) return random.pick(GLOBS);
  const path = generatePath(random, () =>
    random.next() < 0.3 ? generateChoice(random) : generateName(random, OF_GLOBS),
  );
  return random.next() < 0.1 ? `!${path}` : path;
}

export function generateRule(random: Random): string {
  const rule = random.next() < 0.6 ? random.pick(RULES) : generatePath(random, () => generateName(random, PIECES));
  return random.next() < 0.3 && /^[^!#]/.test(rule) ? `!${rule}` : rule;
}

function generatePath(random: Random, segment: () => string): string {
  const segments = Array.from({ length: random.between(1, 3) }, () => (random.next() < 0.15 ? "**" : segment()));
  return `${random.next() < 0.15 ? "/" : ""}${segments.join("/")}${random.next() < 0.15 ? "/" : ""}`;
}

function generateName(random: Random, pieces: readonly string[]): string {
  if (random.next() < 0.4) return random.pick(NAMES);
  return Array.from({ length: random.between(1, 3) }, () => random.pick(pieces)).join("");
}

function generateChoice(random: Random): string {
  return `{${Array.from({ length: random.between(1, 3) }, () => generateName(random, OF_GLOBS)).join(",")}}${random.pick(["", ".ts"])}`;
}
