/**
 * The diff drivers that need no configuration: `*.py diff=python` is enough. Each defines function heads, the part of them to show,
 * and word boundaries. The regular expressions are our own, derived from git's output on samples.
 */

interface BuiltInDriver {
  /** Extended expressions, one a line. */
  readonly functionName: string;
  readonly wordRegex: string;
  readonly ignoreCase?: boolean;
}

const NAME = "[A-Za-z_][A-Za-z0-9_]*";
/** Numbers of most languages, including signs: "1+2" is one. */
const NUMBER = "[+.e0-9-]+[FLfl]?|0[BXbx]?[0-9A-Fa-f]+[Ll]?";
/** C's, with suffixes. */
const C_NUMBER = "0[BXbx][0-9A-Fa-f]+[LUlu]*|([0-9][0-9.]*|[.][0-9]+)([Ee][+-]?[0-9]+)?[FLUflu]*";

const LINE = ".*)$";
/** A head that may be indented, shown without the indent. */
const indented = (head: string) => `^[ \t]*(${head}${LINE}`;
/** Any number of these words before what follows. */
const modifiers = (words: string) => `((${words})[ \t]+)*`;
/** Common to all languages: any other character is a word, and so are the bytes of a non-ASCII character. */
const words = (expression: string, operators = "") =>
  [
    expression,
    ...operators.split(" ").filter(Boolean).map(literal),
    "[^[:space:]]|[\udcc0-\udcff][\udc80-\udcbf]+",
  ].join("|");

function literal(operator: string): string {
  return operator.replace(/[^\w]/g, (sign) => (sign === "^" ? "\\^" : `[${sign}]`));
}

const ASSIGNED = "+= -= *= /= %= &= |= ^= <<= >>=";
const COMPARED = "== != <= >= && || << >> ++ --";
const CSHARP_WORDS = "static|public|internal|private|protected|new|virtual|sealed|override|unsafe";
const CSHARP_TYPE = "[][<>@.~_[:alnum:]]+[ \t]+";

export const builtInDrivers: Readonly<Record<string, BuiltInDriver>> = {
  ada: {
    functionName: `!^(.*[ \t])?(is[ \t]+(new|separate)|renames)([ \t].*)?$\n${indented("(package|procedure|function|task|protected)[ \t]")}`,
    wordRegex: words(
      "[A-Za-z][A-Za-z0-9_]*|[+-]?[0-9][0-9A-Fa-f#._]*([Ee][+-]?[0-9_]+)?",
      "=> .. ** := /= >= <= << >> <>",
    ),
    ignoreCase: true,
  },
  bash: {
    functionName: `^[ \t]*(${NAME}[ \t]*\\([ \t]*\\)|function[ \t]+${NAME}([ \t]*\\([ \t]*\\)|[ \t])[ \t]*([{]|\\(\\(?|\\[\\[))`,
    wordRegex: words("[^ \t]+"),
  },
  bibtex: {
    functionName: "^[ \t]*(@[A-Za-z]+[ \t]*[{]?[ \t]*[^ \t\"@',\\#}{~%]*)",
    wordRegex: words('[={}"]|[^={}" \t]+'),
  },
  cpp: {
    functionName: `!^[ \t]*${NAME}:[ \t]*($|/[/*])\n^((::[ \t]*)?[A-Za-z_]${LINE}`,
    wordRegex: words(`${NAME}|${C_NUMBER}`, `${COMPARED} ${ASSIGNED} -> ->* .* :: <=>`),
  },
  csharp: {
    functionName: [
      "!^[ \t]*(do|while|for|if|else|instanceof|new|return|switch|case|throw|catch|using)",
      `^[ \t]*(${modifiers(`${CSHARP_WORDS}|async`)}${CSHARP_TYPE}[<>@._[:alnum:]]+[ \t]*\\(.*\\))[ \t]*$`,
      `^[ \t]*(${modifiers(CSHARP_WORDS)}${CSHARP_TYPE}[@._[:alnum:]]+)[ \t]*$`,
      indented(`${modifiers(`${CSHARP_WORDS}|abstract|partial`)}(class|enum|interface|struct|record)[ \t]+`),
      indented("namespace[ \t]+"),
    ].join("\n"),
    wordRegex: words(`${NAME}|${NUMBER}`, `${COMPARED} ${ASSIGNED} -> ::`),
  },
  css: {
    functionName: "![:;][ \t]*$\n^[:[@.#]?[_a-z0-9].*$",
    wordRegex: words("-?[_a-zA-Z][_a-zA-Z0-9-]*|-?[0-9]+|#[0-9a-fA-F]+"),
    ignoreCase: true,
  },
  dts: {
    functionName: `![;=]\n^[ \t]*((/[ \t]*[{]|&?[A-Za-z_])${LINE}`,
    wordRegex: words("[a-zA-Z0-9,._+?#-]+", "<< >> && ||"),
  },
  elixir: {
    functionName: indented("(def(macro|module|impl|protocol|p)?|test)[ \t]"),
    wordRegex: words(
      "[:@]?[A-Za-z0-9@_?!]+|[+-]?[0-9][0-9._]*([Ee][+-]?[0-9_]+)?",
      "== != === !== =~ <= >= && || &&& ||| <<< >>> <~> |> ++ -- <> .. -> <- => ^^^ ~~~ <<~ ~>> <~ ~> \\\\",
    ),
  },
  fortran: {
    functionName: [
      "!^([C*]|[ \t]*!)",
      "!^[ \t]*module[ \t]+procedure[ \t]",
      indented("(end[ \t]+)?(program|module|block[ \t]+data|([^!'\" \t]+[ \t]+)*(subroutine|function))[ \t]+[a-z]"),
    ].join("\n"),
    wordRegex: words(
      "[A-Za-z][A-Za-z0-9_]*|[.]([Ee][Qq]|[Nn][Ee]|[GgLl][TtEe]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Aa][Nn][Dd]|[Oo][Rr]|[Nn]?[Ee][Qq][Vv]|[Nn][Oo][Tt])[.]|[+-]?[0-9.]+([AaIiDdEeFfLlTtXx][Ss]?[+-]?[0-9.]*)?(_[A-Za-z0-9][A-Za-z0-9_]*)?",
      "// ** :: /= == <= >=",
    ),
    ignoreCase: true,
  },
  fountain: {
    functionName: `^(([.][^.]|(int|ext|est|int[.]?/ext|i/e)[. ])${LINE}`,
    wordRegex: words("[^ \t-]+"),
    ignoreCase: true,
  },
  golang: {
    functionName: `${indented("func")}\n^[ \t]*(type[ \t].*(struct|interface)[ \t]*([{][ \t]*)?)`,
    wordRegex: words(`${NAME}|[+.e0-9-]+i?|0[Xx]?[0-9A-Fa-f]+i?`, `${COMPARED} ${ASSIGNED} := <- &^ &^= ...`),
  },
  html: { functionName: `^[ \t]*(<[Hh][1-6]([ \t].*)?>${LINE}`, wordRegex: words("[^<>= \t]+") },
  java: {
    functionName: [
      "!^[ \t]*(catch|do|for|if|instanceof|new|return|switch|throw|while)",
      indented(`([a-z]+[ \t]+)*(class|enum|interface)[ \t]+${NAME}[ \t]+`),
      `^[ \t]*(([A-Za-z_<>&][][?&<>.,A-Za-z_0-9]*[ \t]+)+${NAME}[ \t]*\\([^;]*)$`,
    ].join("\n"),
    wordRegex: words(`${NAME}|${NUMBER}`, `${COMPARED} ${ASSIGNED} >>> >>>=`),
  },
  kotlin: {
    functionName: indented("([a-z]+[ \t]+)*(fun|class|interface)[ \t]+"),
    wordRegex: words(
      `${NAME}|0[BXbx][0-9A-Fa-f_]+[LUlu]*|([0-9][0-9_]*([.][0-9_]*)?|[.][0-9][0-9_]*)([Ee][+-]?[0-9]+)?[FLUflu]*|[*/+%&^|<>!=-]==?`,
      "<<= >>= && || ++ -- -> :: .. ?. ?: !!",
    ),
  },
  markdown: { functionName: "^ {0,3}#{1,6}[ \t].*", wordRegex: words("[^<>= \t]+") },
  matlab: {
    functionName: `${indented("(classdef|function)[ \t]")}\n^((%%%?|##)[ \t].*)$`,
    wordRegex: words(`${NAME}|[+.e0-9-]+|[+.e0-9-]+`, "== ~= <= >= && || .* ./ .^ .' .\\ ++ --"),
  },
  objc: {
    functionName: [
      "!^[ \t]*(do|for|if|else|return|switch|while)",
      `^[ \t]*([-+][ \t]*\\([ \t]*[A-Za-z_][A-Za-z_0-9* \t]*\\)[ \t]*[A-Za-z_]${LINE}`,
      `^[ \t]*((${NAME}[ \t]+)+${NAME}[ \t]*\\([^;]*)$`,
      `^(@(implementation|interface|protocol)[ \t]${LINE}`,
    ].join("\n"),
    wordRegex: words(`${NAME}|${NUMBER}`, `${COMPARED} ${ASSIGNED} -> ::`),
  },
  pascal: {
    functionName: [
      `^(((class[ \t]+)?(procedure|function)|constructor|destructor|interface|implementation|initialization|finalization)${LINE}`,
      `^(.*=[ \t]*(class|record)${LINE}`,
    ].join("\n"),
    wordRegex: words(`${NAME}|[+.0-9e-]+|0[BXbx]?[0-9A-Fa-f]+`, "<> <= >= := .."),
  },
  perl: {
    functionName: [
      "^package .*",
      // With a prototype, that is what is shown.
      "^sub [A-Za-z0-9_':]+[ \t]*(\\([^)]*\\)[ \t]*)(:[^;#]*)?([{][ \t]*)?(#.*)?$",
      "^sub [A-Za-z0-9_':]+[ \t]*(:[^;#]*)?([{][ \t]*)?(#.*)?$",
      "^(BEGIN|END|INIT|CHECK|UNITCHECK|AUTOLOAD|DESTROY)[ \t]*([{][ \t]*)?(#.*)?$",
      "^=head[0-9] .*",
    ].join("\n"),
    wordRegex: words(
      "[A-Za-z_'][A-Za-z0-9_']*|-[rwxoRWXOezsfdlpSbctugkTBMAC]|0[bx]?[0-9A-Fa-f_]*|[0-9A-Fa-f_]+([.][0-9A-Fa-f_]+)?([Ee][+-]?[0-9_]+)?",
      "== != <= >= && || << >> ++ -- += -= *= /= %= &= |= ^= -> => =~ !~ <=> ** // ||= &&= **= //= .. ... :: .=",
    ),
  },
  php: {
    functionName: [
      indented(`${modifiers("public|protected|private|static|abstract|final")}function`),
      indented("(((final|abstract)[ \t]+)?class|enum|interface|trait)"),
    ].join("\n"),
    wordRegex: words(`${NAME}|[+.e0-9-]+|0[BXbx]?[0-9A-Fa-f]+`, `${COMPARED} ${ASSIGNED} -> .= === ::`),
  },
  python: {
    functionName: indented("(class|(async[ \t]+)?def)[ \t]"),
    wordRegex: words(
      `${NAME}|[+.0-9e-]+[jJlL]?|0[Xx]?[0-9A-Fa-f]+[lL]?`,
      "+= -= *= /= %= &= |= ^= == != <= >= << >> <<= >>= // //= ** **=",
    ),
  },
  ruby: {
    functionName: indented("(class|module|def)[ \t]"),
    wordRegex: words(
      "(@|@@|[$])?[A-Za-z_][A-Za-z0-9_]*|[+.e0-9-]+|0[BXbx]?[0-9A-Fa-f]+|[?](\\\\C-)?(\\\\M-)?.",
      "// == === != !~ =~ <= >= << >> :: += -= *= /= %= &= |= ^= <<= >>= .. ...",
    ),
  },
  rust: {
    functionName: `^[ \t]*((pub(\\([^)]+\\))?[ \t]+)?((async|const|unsafe|extern[ \t]+"[^"]+")[ \t]+)?(struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t]+[^;]*)$`,
    wordRegex: words(
      `${NAME}|[0-9][0-9_a-fA-Fiosuxz]*([.]([0-9]*[eE][+-]?)?[0-9_fF]*)?`,
      `${COMPARED} ${ASSIGNED} -> => :: ... ..=`,
    ),
  },
  scheme: {
    functionName: indented(
      "\\(((define|def(struct|syntax|class|method|rules|record|proto|alias)?)[-*/ \t]|(library|module|struct|class)[*+ \t])",
    ),
    wordRegex: words("[|][^\\]*[|]|[^][)(}{ \t]+"),
  },
  tex: {
    functionName: `^(\\\\((sub)*section|chapter|part)[*]?[{]${LINE}`,
    wordRegex: words("\\\\[a-zA-Z@]+|[a-zA-Z0-9]+|\\\\."),
  },
};
