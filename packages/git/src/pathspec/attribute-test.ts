/** Parses and tests the attributes of the pathspec `:(attr:…)`: "name", "-name", "!name" or "name=value", separated by spaces. */
import type { AttributeValue } from "../attributes/attribute-line.ts";
import { isAttributeName } from "../attributes/attribute-line.ts";
import { GitError } from "../errors.ts";

export interface AttributeTest {
  readonly name: string;
  /** True, false, a value, or undefined: unspecified. */
  readonly value: AttributeValue | undefined;
}

export function parseAttributeTests(text: string): AttributeTest[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) throw new GitError("EINVAL", "attr spec must not be empty");
  return words.map(parseTest);
}

function parseTest(word: string): AttributeTest {
  const sign = word[0];
  const equals = word.indexOf("=");
  const name = sign === "-" || sign === "!" ? word.slice(1) : equals < 0 ? word : word.slice(0, equals);
  const value =
    sign === "-" ? false : sign === "!" ? undefined : equals < 0 ? true : unescapeValue(word.slice(equals + 1));
  if (!isAttributeName(name)) throw new GitError("EINVAL", `invalid attribute name ${name}`);
  return { name, value };
}

/** A backslash quotes one of the few characters that a value may hold. */
function unescapeValue(text: string): string {
  let value = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") {
      at++;
      if (at >= text.length)
        throw new GitError("EINVAL", "Escape character '\\' not allowed as last character in attr value");
    }
    const char = text[at] as string;
    if (!/[-\w,]/.test(char)) throw new GitError("EINVAL", `cannot use '${char}' for value matching`);
    value += char;
  }
  return value;
}
