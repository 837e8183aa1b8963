/** The named classes: Perl's, with Unicode's meaning or ASCII's, and POSIX's, which are always ASCII. */
export const PERL: Readonly<Record<"d" | "s" | "w", { unicode: string; ascii: string }>> = {
  d: { unicode: "\\p{Nd}", ascii: "0-9" },
  // Rust's White_Space has U+0085 and lacks U+FEFF, unlike JavaScript's \s.
  s: { unicode: "\\p{White_Space}", ascii: "\\t-\\r " },
  w: { unicode: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}", ascii: "0-9A-Za-z_" },
};

export const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: "\\t ",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t-\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};
