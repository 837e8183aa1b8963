/** The words of an argv. A secret may be the word after its option, its header or its scheme, or span several words. */
import { CommandWords, type FoundSecret, redactOption } from "./redact-options.ts";
import { redactText } from "./redact-text.ts";
import { isReference, REDACTED } from "./redacted.ts";
import { isSecretHeader, isSecretName } from "./secret-names.ts";

/** What the words so far say of the next one. */
type Expected =
  | { kind: "any" }
  | { kind: "option"; found: FoundSecret }
  | { kind: "bearer" }
  /** All words up to the next option: `Authorization: Bearer x`. */
  | { kind: "header" }
  /** All words up to the one that ends the key. */
  | { kind: "key" };

export function redactWords(words: readonly string[]): string[] {
  const command = new CommandWords();
  let expected: Expected = { kind: "any" };
  return words.map((word) => {
    const before = expected;
    expected = { kind: "any" };
    if (before.kind === "key") {
      if (!word.includes("-----END")) expected = before;
      return REDACTED;
    }
    if (/-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(word) && !word.includes("-----END")) {
      expected = { kind: "key" };
      return redactText(word);
    }
    if (before.kind === "header" && !word.startsWith("-")) {
      expected = before;
      return isReference(word) ? word : REDACTED;
    }
    if (before.kind === "bearer" && redactText(`bearer ${word}`) !== `bearer ${word}`) return REDACTED;
    if (before.kind === "option") {
      // `--password = x`
      if (word === "=") {
        expected = before;
        return word;
      }
      if (before.found.isWord ? !/^[=:{[|-]/.test(word) : true) return redactOption(before.found.kind, word);
    }
    const found = command.secretOf(word);
    command.add(word);
    if (found !== null && found.glued !== "") return `${found.shown}${redactOption(found.kind, found.glued)}`;
    if (found !== null) {
      expected = { kind: "option", found };
      return word;
    }
    expected = expectedAfter(word);
    return redactText(word);
  });
}

function expectedAfter(word: string): Expected {
  if (/^bearer$/i.test(word)) return { kind: "bearer" };
  const name = /^([\w.-]{1,100})[:=]$/.exec(word)?.[1] ?? "";
  return isSecretHeader(name) || isSecretName(name) ? { kind: "header" } : { kind: "any" };
}

/** Redacts a command as `shell.exec` accepts it: a command line, or an argv. */
export function redactCommand(command: string | readonly string[]): string | string[] {
  return typeof command === "string" ? redactText(command) : redactWords(command);
}
