/**
 * Patterns that make a backtracking engine run without bound, each with a line that does it: exponential ones on tens of
 * characters, polynomial ones on tens of thousands. `tail` ends the line so that the pattern almost matches.
 */
export interface RedosPattern {
  pattern: string;
  /** Repeated to make a line of any length. */
  pump: string;
  tail: string;
  /** A line that does match. */
  hit: string;
  multiline?: true;
  /** Characters on which V8 is hopeless; absent where V8 cannot read the pattern at all, or does it well. */
  hopeless?: number;
}

export const redosPatterns: readonly RedosPattern[] = [
  { pattern: "(?:\\w+\\s?)+;$", pump: "word ", tail: "!", hit: "a word;", hopeless: 200 },
  { pattern: "(a+)+$", pump: "a", tail: "!", hit: "aaa", hopeless: 60 },
  { pattern: "(a|aa)+$", pump: "a", tail: "!", hit: "aaaa", hopeless: 80 },
  { pattern: "(.*a){25}", pump: "b", tail: "a".repeat(24), hit: "a".repeat(25), hopeless: 40 },
  { pattern: "(a*)*b", pump: "a", tail: "", hit: "aab", hopeless: 60 },
  { pattern: "(a|a)*b", pump: "a", tail: "", hit: "ab", hopeless: 60 },
  { pattern: "^(a+)+$", pump: "a", tail: "!", hit: "aa", hopeless: 60 },
  { pattern: "(x+x+)+y", pump: "x", tail: "", hit: "xxy", hopeless: 60 },
  { pattern: "([a-z]+)*\\d$", pump: "abc", tail: "!", hit: "abc1", hopeless: 60 },
  { pattern: "(a|b|ab)*c", pump: "ab", tail: "", hit: "abc", hopeless: 120 },
  { pattern: "(.*)*=", pump: "x", tail: "", hit: "x=", hopeless: 60 },
  { pattern: "(.+)+=", pump: "xy", tail: "", hit: "x=", hopeless: 60 },
  { pattern: "^(([a-z])+.)+[A-Z]([a-z])+$", pump: "a", tail: "", hit: "abAb", hopeless: 80 },
  { pattern: "(?:a?){40}a{40}", pump: `${"a".repeat(39)}b`, tail: "", hit: "a".repeat(40), hopeless: 80 },
  { pattern: "(a?){50}b", pump: "a", tail: "", hit: "aab", hopeless: 100 },
  { pattern: "\\s+$", pump: " \t", tail: "x", hit: "x  ", hopeless: 300_000 },
  { pattern: "^\\s+|\\s+$", pump: "x    ", tail: "x", hit: " x" },
  { pattern: "^(.*?,){11}P", pump: "1,2,", tail: "", hit: "1,2,3,4,5,6,7,8,9,10,11,P", hopeless: 400 },
  { pattern: "(\\s*\\w+\\s*)+=", pump: "w ", tail: "", hit: "w w =", hopeless: 100 },
  { pattern: "^(\\w+\\.?)*@", pump: "name.", tail: "", hit: "a.b@", hopeless: 200 },
  { pattern: '"([^"\\\\]|\\\\.|[^"])*"$', pump: "\\\\a", tail: "x", hit: '"a"' },
  { pattern: "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@$", pump: "a", tail: "", hit: "ab@", hopeless: 80 },
  { pattern: "(?:(?:a|b)*)*c", pump: "ab", tail: "", hit: "abc", hopeless: 60 },
  { pattern: "(a{1,30}){1,30}b", pump: "a", tail: "", hit: "ab", hopeless: 200 },
  { pattern: "((a{0,5}){0,5}){0,5}b", pump: "a", tail: "", hit: "aab", hopeless: 100 },
  { pattern: ".*.*.*=.*", pump: "xy", tail: "", hit: "x=y", hopeless: 20_000 },
  { pattern: "x*x*x*x*y", pump: "x", tail: "", hit: "xy", hopeless: 4000 },
  { pattern: "^(?:.?){60}b$", pump: "a", tail: "", hit: "aab", hopeless: 80 },
  { pattern: "(?:ab|AB|a|b)+$", pump: "aB", tail: "!", hit: "aBab" },
  { pattern: "(\\pL+)+\\d", pump: "éa", tail: "", hit: "é1" },
  { pattern: "([\\w--\\d]+\\s*)+;", pump: "word ", tail: "", hit: "word;" },
  { pattern: "([[:alpha:]]+)+[[:digit:]]", pump: "abc", tail: "", hit: "a1" },
  { pattern: "(?i)(k|K|ſ|s)+$", pump: "Ks", tail: "!", hit: "Kſ" },
  { pattern: "<(\\w+)[^>]*>.*</z>", pump: "<a b>", tail: "", hit: "<a></z>" },
  { pattern: "\\b(\\w+\\s?)*\\b;", pump: "word ", tail: "", hit: "word;", hopeless: 200 },
  { pattern: "(?s)(.*\\n)*end$", pump: "line\n", tail: "en", hit: "end", multiline: true },
  { pattern: "(?:\\r?\\n.*)*END", pump: "\nx", tail: "", hit: "END", multiline: true },
  { pattern: "(\\s|\\n)+;", pump: " \n", tail: "", hit: " ;", multiline: true },
  { pattern: "(a|\\na|a\\n)+b", pump: "a\na", tail: "", hit: "a\nb", multiline: true },
  // Not the automaton: every hit has its line looked for.
  { pattern: "(?s:.)", pump: "x", tail: "", hit: "x", multiline: true },
  { pattern: "x|\\n", pump: "x", tail: "", hit: "x", multiline: true },
];

export function attack({ pump, tail }: RedosPattern, characters: number): string {
  return pump.repeat(Math.ceil(characters / pump.length)) + tail;
}
