/** What Rust's regular expressions mean where JavaScript's mean something else, or nothing. */
import type { Query } from "../question.ts";
import { each, type HardCase, list, patterns } from "./hard-case.ts";

const ASCII = "abc ABC a.b [x] {y} (z) ^$ \\n a-b a_b 123 foo bar foo.bar baz; a|b :: aaa aa a\n\nx\ty\nfoo\n";
const UNICODE =
  "é É e\u0301 ß ẞ ss SS ſ s S K k K Å å Å İ i ı I σ ς Σ ΑΣ ǆ ǅ Ǆ ﬀ ff Ⅷ ⅷ ٣ 3 ３ 日本 😀 👩‍👩‍👧 Ω Ω µ μ \u00a0|\u2003|\u200b|_‿_\n";

export const syntaxCases: readonly HardCase[] = [
  patterns(
    "anchors",
    ASCII,
    ...list`^  $  ^$  ^foo  foo$  ^foo$  a^b  $a  ^^^foo$$  (^|x)  (foo|$)  ^*  (?:^)?a  \bfoo\b$`,
  ),
  patterns(
    "beginning and end of text",
    ASCII,
    ...list`\Aabc  \A  \z  foo\z  \Afoo\z  (?-m)^abc  (?-m)foo$  (?-m:^)foo  x|\z`,
  ),
  patterns(
    "beginning and end of text, multiline",
    ASCII,
    ...each({ multiline: true }, ...list`\Aabc  \A  \z  foo\n?\z  (?-m)^abc  (?-m)foo$  (?-m)^foo`),
  ),
  patterns(
    "word boundaries",
    `${ASCII}${UNICODE}`,
    ...list`\b  \B  \ba  a\b  \Ba  a\B  \bé  \b日  é\b  \B\B  \b-\b  (?-u:\b)é  \b😀  \B😀`,
  ),
  patterns(
    "half boundaries",
    ASCII,
    ...list`\<a  a\>  \<  \>  \b{start}a  a\b{end}  \b{start-half}-  -\b{end-half}  \b{start}  \b{end}`,
  ),
  patterns(
    "flags in the pattern",
    ASCII,
    ...list`
      (?i)FOO  (?i:F)oo  (?i)a(?-i)B  (?i)a|B  a(?i)b|C  (?i-u)foo  (?s).  (?U)a+  (?U)a+?  (?U:a*)b
      (?im)^foo$  (?i)(?-i)FOO
    `,
  ),
  patterns(
    "verbose",
    ASCII,
    ...list`(?x) a b c  (?x)a\ b  (?x)[a b]+  (?x: f o o ) bar  (?x)\#  (?x)a {2}  (?x)a{ 2 }`,
    "(?x)a # b\nbc",
    "(?x)foo\u2003bar",
  ),
  patterns("verbose with a comment at the end, which eats ripgrep's own bracket", ASCII, "(?x) a # b"),
  patterns(
    "groups",
    ASCII,
    ...list`(a)(b)  (?P<n>a)b  (?<n>a)b  (?P<n_1.a[0]>a)  ((((a))))  ()  (|a)  (a|)  (?:)  a(?:)b  (?P<é>a)`,
  ),
  patterns(
    "alternatives",
    ASCII,
    ...list`
      a|ab|abc  abc|ab|a  |a  a|  a||b  |  (a|b)|(c|d)  foo|^$  (?:a|aa)+  samwise|sam  b|  (?:|a)+
      (?:a*|b)+
    `,
  ),
  patterns(
    "repetitions",
    ASCII,
    ...list`
      a{2}  a{2,}  a{1,2}  a{0}  a{0,1}  a*?  a+?b  a??b  a{2}?  (?:a{1,2}){2}  a**  a+*  a?+  a{2}{2}
      a{ 2 }  a{ 1, 3 }  a{1,}?  (a*)*  (a*)+  (a|b*)*  x*  (?:x*)+?
    `,
  ),
  patterns(
    "brackets",
    ASCII,
    ...list`
      []]  [^]]  []a]  [a-]  [-a]  [a\-c]  [a-c-e]  [\]]  [\[x]  [.]  [\.]  [$^]  [\^]  [^^]  [\\]
      [(){}|]  [a|b]+  [#-&]  [\t]  [ -~]+  [\x41-\x43]  [\u{41}-C]
    `,
  ),
  patterns(
    "classes in brackets",
    ASCII,
    ...list`[\d.]+  [\w.]+  [^\s]+  [\pL\pN]+  [^\pL]+  [\D\d]  [^\D]  [\s\S]+  [\W]  [^\W_]+`,
  ),
  patterns(
    "nested classes and sets",
    ASCII,
    ...list`
      [[a][b]]+  [a[bc]]+  [^[a]]  [[^a]]  [a-z&&[^b]]+  [a-z&&b-d]+  [a&&b]  [a-c&&b-d&&c]  [a-z--b]+
      [a-z--[aeiou]]+  [a-c~~b-d]  [\w&&[^\d_]]+  [^a-z&&[^0-9]]  [a-z&&]  [&&a]  [a&b]  [a-]  [a--b]
      [~~a]  [a~b]  [[]a]]
    `,
  ),
  patterns(
    "POSIX classes",
    `${ASCII}${UNICODE}`,
    ...[
      "alnum",
      "alpha",
      "ascii",
      "blank",
      "cntrl",
      "digit",
      "graph",
      "lower",
      "print",
      "punct",
      "space",
      "upper",
      "word",
      "xdigit",
    ].map((name) => `[[:${name}:]]+`),
    ...list`
      [[:^alpha:]]+  [[:^word:]]  [^[:alpha:]]+  [:alpha:]  [[:alpha:]_]+  [[:foo:]]  [[:alpha]]
      [[:alpha:]&&[^a]]+  [[:upper:][:digit:]]
    `,
  ),
  patterns(
    "POSIX classes, ignoring case",
    ASCII,
    ...each({ ignoreCase: true }, ...list`[[:upper:]]+  [[:lower:]]+  [[:^upper:]]  [^A-Z]+`),
  ),
  patterns(
    "escapes",
    `${ASCII}\u0007\f\u000b\u001b\n/-#&~@%!"',:;<=>\`_\n`,
    ...list`
      \a  \f  \v  \t  \x1B  \x{1b}  \u001B  \u{1b}  \U0000001B  \x{0000001b}  \/  \-  \#  \&  \~  \@  \%
      \!  \"  \'  \,  \:  \;  \=  \{  \}  \]  \)  \|
    `,
    "\\`",
    "\\ ",
  ),
  patterns(
    "escapes that are refused",
    ASCII,
    ...list`
      \_  \e  \Z  \z\Z  \G  \K  \R  \X  \h  \H  \V  \N  \C  \cA  \Q  \E  \0  \1  \8  \k<n>  \g1  \é  \j
      \y  \l  \L  [\b]  [\B]  [\A]  [\z]  [\<]
    `,
  ),
  patterns(
    "characters by number",
    `${UNICODE}abc\n`,
    ...list`
      \xe9  \x{e9}  \u00e9  \u{e9}  \U000000E9  \x{1F600}  \u{1F600}  \U0001F600  [\x{1F600}]
      [\u{1F300}-\u{1F9FF}]+  \x61  \x{0}  (?-u)\xC3  (?-u:\xC3\xA9)
    `,
  ),
  patterns(
    "characters by number, refused",
    "é\n",
    ...list`
      \x  \xZ  \x4  \x{}  \x{zz}  \x{110000}  \x{D800}  \uD83D\uDE00  \u12  \u{}  \u{1234567890}  \U123
      (?-u)\x{100}
    `,
  ),
  patterns(
    "Unicode by default",
    UNICODE,
    ...list`\w+  \W+  \d+  \D+  \s+  \S+  .  ..  ^.{4}  [^a]  \bss\b  \p{L}\p{M}  e.  😀.  👩.👩`,
  ),
  patterns(
    "Unicode switched off",
    UNICODE,
    ...list`
      (?-u)\w+  (?-u:\W)  (?-u:\d+)  (?-u:\s)  (?-u:.)  (?-u:[^a])  (?-u:\b)  (?-u:\B)  (?-u)é  (?-u)[é]
      (?i-u)k  (?i-u)é  (?-u:\pL)
    `,
  ),
  patterns(
    "Unicode classes",
    UNICODE,
    ...list`
      \pL+  \PL+  \p{L}+  \p{Letter}+  \p{Lu}+  \p{uppercase}  \p{ uppercase_letter }  \p{Ll}  \p{Lt}
      \p{LC}  \p{Nd}  \p{Nl}  \pN  \p{Greek}  \p{sc=Grek}  \p{scx:Greek}  \p{Script=Han}
      \p{script!=Latin}  \p{gc=Lu}  \p{General_Category=Math_Symbol}  \p{Alphabetic}  \p{White_Space}
      \p{Emoji}  \p{Emoji_Presentation}  \p{ASCII}+  \p{Any}  \p{Assigned}  \p{Cn}  \p{Age=6.0}
      \p{age:3.0}  \p{XID_Start}  \p{gcb=ZWJ}  \p{wb=Katakana}  \p{isGreek}  \P{ASCII}
      \p{Lowercase_Letter}  \p{cased}
    `,
  ),
  patterns(
    "Unicode classes, refused",
    UNICODE,
    ...list`
      \p  \p{  \p{}  \p{Nope}  \pZZ  \p{L  \p{^L}  \p{sc=Nope}  \p{foo=bar}  \p{RGI_Emoji}  \p{InGreek}
      \p1  \p{block=Basic_Latin}
    `,
  ),
  patterns(
    "case folding",
    UNICODE,
    ...each(
      { ignoreCase: true },
      ...list`
      é  ß  ss  ẞ  ſ  s  k  K  å  İ  i  ı  I  σ  ς  Σ  ας  ǆ  ǅ  ﬀ  ff  ⅷ  ω  Ω  µ  μ  [k]  [^k]  [a-z]+
      [α-ω]+  \x{212a}  straße  \p{Lu}+  \P{Lu}+  \p{Ll}  (?-i)k  [[:lower:]]+  [s&&ſ]  [^s]  \bk\b
    `,
    ),
  ),
  patterns(
    "case folding of literals",
    UNICODE,
    ...["é", "ß", "ss", "k", "K", "σ", "İ", "ı", "ǅ", "µ", "ſ"].map(
      (pattern): Query => ({ pattern, ignoreCase: true }),
    ),
  ),
  patterns(
    "smart case",
    `${ASCII}${UNICODE}`,
    ...each(
      { smartCase: true },
      ...list`
      foo  Foo  fOO  \w  \W  \S+B  \pL  \p{Lu}  [A-Z]  a\x41  \x61  É  é  [^A]  (?i)A  (?P<N>a)  a\b
      \u{C9}  σ  Σ  123  \Ba  ǅ  日
    `,
      "",
    ),
  ),
  patterns(
    "smart case of literals",
    `${ASCII}${UNICODE}`,
    ...["foo", "Foo", "abc", "aBC", "\\w", "\\W", "é", "É", "σ", "Σ", "", "1", "."].map(
      (pattern): Query => ({ pattern, smartCase: true }),
    ),
  ),
  patterns(
    "words",
    `${ASCII}${UNICODE}-foo- foo-bar _foo foo_ éfoo fooé a-b --a-- .b.\n`,
    ...each(
      { word: true },
      ...list`
      foo  a  b  a-b  -foo-  -a  \.b  a*  x|foo  foo|foo-bar  foo.*  é  日  日本  😀  ss|s  -  --  ^foo  foo$
      \w  \W  .  a|b  (foo)?bar  e  \ba  f?oo
    `,
      "",
    ),
  ),
  patterns("words, ignoring case", UNICODE, ...each({ word: true, ignoreCase: true }, ...list`k  s  σ  ß  i`)),
  patterns(
    "whole lines",
    `${ASCII}a\nab\n a\na \né\n`,
    ...each({ line: true }, ...list`a  foo  a|ab  ab|a  a?  .*  ^a$  \w+  é  A  (?i)A  b  a\b`, "", " ?a", "a "),
  ),
  patterns("whole lines and words", `${ASCII}a\na b\n`, ...each({ line: true, word: true }, "a", "a b", "a.b")),
  patterns(
    "inverted",
    ASCII,
    ...each({ invert: true }, ...list`a  ^$  .  foo  zzz  $`, ""),
    ...each({ invert: true, word: true }, "a", "foo"),
    ...each({ invert: true, line: true }, "foo", ""),
  ),
  patterns(
    "dot",
    "a\r\n\u2028b\u2029c\u0085\nx\u000by\n",
    ...list`.  .+  ^.$  (?s).  (?s)^.+$  (?R).  (?R)a.  a.  [^\n]+  [^\r]+`,
  ),
  patterns(
    "newlines where there can be none",
    "a\nb\n\nc\n",
    ...list`
      \n  a\nb  [\n]  [a\n]  [^\n]  \x0a  \x{A}  \u000A  a[\nb]  (\n|a)  a\s*b  a\sb  [\s\S]+  (?s)a.*c
      \W  \D+  [^a]  \P{L}  [[:space:]]  [[:^alpha:]]+  a$\s^b  \r\n  \n?
    `,
    "a\nb",
  ),
  patterns(
    "multiline search",
    "a\nb\n\nc a\nb\nfoo bar\r\nbaz\n",
    ...each(
      { multiline: true },
      ...list`
      a\nb  a\sb  \n  \n\n  \n+  ^  $  ^$  ^b$  a$\n^b  a.b  (?s)a.b  (?s)a.*b  (?s).  (?s).*  (?s).+?c
      [^c]+  \s+  \S+  \W+  b\n  \nb  a\nb\n  \r\n  bar$  (?R)bar$  b\n*c  [\s\S]*  \A.  .\z  \n\z
      b(?:\n|$)  x*  (?m)^b  (?-m)^b  a\nb|foo  \n[^\n]*foo  b\s+c\s+a
    `,
      "",
    ),
  ),
  patterns(
    "multiline search with words and lines",
    "a\nb\n\nc a\nb\n",
    ...each({ multiline: true, word: true }, ...list`a\nb  \s+  c a`, ""),
    ...each({ multiline: true, line: true }, ...list`a\nb  a  c a\nb  \s*`, ""),
    ...each({ multiline: true, ignoreCase: true }, "A\\nB"),
  ),
  patterns(
    "multiline search, inverted and counted",
    "a\nb\n\nc a\nb\nd\n",
    ...each({ multiline: true, invert: true }, ...list`a\nb  b  \n  (?s).*  zz`),
    ...each({ multiline: true, mode: "count" }, ...list`a\nb  b  \n  a`, ""),
    ...each({ multiline: true, maxPerFile: 1 }, "a\\nb", "b"),
    ...each({ multiline: true, context: 1 }, "a\\nb", "^$"),
  ),
  patterns(
    "a literal is no pattern",
    `${ASCII}$& $1 \\1 (?i) .* \\d [a] ^a$ a+\n`,
    ...[
      "$&",
      "$1",
      "\\1",
      "(?i)",
      ".*",
      "\\d",
      "[a]",
      "^a$",
      "a+",
      ".",
      "|",
      "\\",
      "(",
      "[",
      "{y}",
      "a.b",
      "\\n",
      "\t",
      " ",
    ].map((pattern): Query => ({ pattern })),
  ),
  patterns(
    "a literal with flags",
    `${ASCII}(x) x\n`,
    { pattern: "(z)", word: true },
    { pattern: "a.b", word: true },
    { pattern: "FOO", ignoreCase: true },
    { pattern: "foo", line: true },
    { pattern: ".", invert: true },
    { pattern: "", word: true },
    { pattern: "a\nb" },
    { pattern: "\nx", multiline: true },
    { pattern: "a|b", line: true },
  ),
  patterns(
    "syntax that is refused",
    ASCII,
    ...list`
      (  )  (a  a)  [  [a  [^  []  [^]  [[a]  a{  a{1  a{1,  a{,  a{,2}  a{}  a{a}  a{-1}  a{2,1}  {1}  *
      +  ?  a|*  (*)  (?:+)  \  (?  (?i  (?z)  (?ii)  (?i-)  (?-)  (?)  (?i-i)  (?<n>  (?<>a)  (?P<1>a)
      (?P<n>a)(?P<n>b)  (?P=n)  (?Pn)  [z-a]  [a-\d]  [\d-z]  [é-a]  (?'n'a)  (?#c)  (?>a)  (?|a)
      (?R)(?1)  (?(1)a)  \b{  \b{foo}  \b{1}  a{99999999999}  \p{  (?x
    `,
  ),
  patterns(
    "look-around and backreferences are refused",
    ASCII,
    ...list`(?=a)  (?!a)  (?<=a)b  (?<!a)b  (a)\1  (?P<n>a)(?P=n)  (?<n>a)\k<n>  (?>a+)b  a*+b  \Ka  (?R)`,
  ),
  patterns(
    "large patterns",
    `${"a".repeat(300)}\n`,
    ...list`
      a{100}  a{100,200}  (?:a{10}){10}  (?:a?){50}a{50}  (?:a|b|c|d|e|f|g){1,100}  \w{50}  \pL{100}$
      [a-z]{300}  a{301}
    `,
  ),
  patterns(
    "many alternatives",
    `${ASCII}word77 word7 word777\n`,
    Array.from({ length: 500 }, (_, at) => `word${at}`).join("|"),
    ...each({ ignoreCase: true }, Array.from({ length: 200 }, (_, at) => `WORD${at}`).join("|")),
  ),
  patterns(
    "the leftmost first of several",
    "abcdef\nfoobar foo\nxaay\n",
    ...list`
      abcd|abcdef  ab|abcdef  foo|foobar  foobar|foo  a*?  a|aa  (?:a|ab)(?:c|bcd)(?:d*)  x(?:a|aa)y
      a{1,2}?  (?:a|ab)(?:bcd|c)
    `,
  ),
  patterns(
    "empty hits between others",
    "abxab\n\nx\n",
    ...list`x*  b*  a*|b  (?:ab)*  \b|x  $|x  a?  (?:)|a  x*?  é?  ^|x|$`,
  ),
  patterns("empty hits between characters of several bytes", "é😀日\n", ...list`x*  \B  \b  (?-u:)  (?-u:\B)  z?`, ""),
];
