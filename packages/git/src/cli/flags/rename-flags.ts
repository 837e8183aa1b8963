/** `-M`, `-C` and `-B` with their scores: "50%", "50", ".5" and "5" all mean half. */
import { MAX_SCORE } from "../../diff/file-pair.ts";
import { type DiffFlagState, refused, type Take, type Value } from "./diff-flag-values.ts";

/** Parses a similarity score ("50%", "50", ".5", "5"); `rest` is the text after it. */
function parseScore(text: string): { score: number; rest: string } {
  let number = 0;
  let scale = 1;
  let dot = false;
  let at = 0;
  for (; at < text.length; at++) {
    const char = text[at] as string;
    if (!dot && char === ".") {
      scale = 1;
      dot = true;
    } else if (char === "%") {
      scale = dot ? scale * 100 : 100;
      at++;
      break;
    } else if (char >= "0" && char <= "9") {
      if (scale < 100_000) {
        scale *= 10;
        number = number * 10 + Number(char);
      }
    } else break;
  }
  return { score: number >= scale ? MAX_SCORE : Math.floor((MAX_SCORE * number) / scale), rest: text.slice(at) };
}

export const takeRenames =
  (kind: "renames" | "copies"): Take =>
  ({ options }, value) => {
    if (typeof value === "string") {
      const { score, rest } = parseScore(value);
      if (rest !== "") throw refused(`invalid argument to find-${kind}`);
      options.renameScore = score || MAX_SCORE / 2;
    } else options.renameScore = MAX_SCORE / 2;
    // A second -C also looks for copies in unchanged files.
    if (kind === "copies" && options.renames === "copies") options.copiesHarder = true;
    options.renames = kind;
  };

export function takeBreaks({ options }: DiffFlagState, value: Value): void {
  const bad = refused("break-rewrites expects <n>/<m> form");
  const first = parseScore(typeof value === "string" ? value : "");
  if (first.rest === "") {
    options.breaks = { breakScore: first.score, mergeScore: 0 };
    return;
  }
  if (!first.rest.startsWith("/")) throw bad;
  const second = parseScore(first.rest.slice(1));
  if (second.rest !== "") throw bad;
  options.breaks = { breakScore: first.score, mergeScore: second.score };
}
