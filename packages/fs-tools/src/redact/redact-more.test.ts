import { describe, expect, it } from "vitest";
import { ORDINARY_LINES, SECRET_LINES, SECRET_WORDS, TOKENS } from "../../test/secret-examples.ts";
import { redactText } from "./redact-text.ts";
import { redactWords } from "./redact-words.ts";

/** HUNTER2, plain and in the encodings of the examples. */
function shows(text: string): boolean {
  if (/HUNTER2|HUN%54ER2/i.test(text)) return true;
  for (const [word] of text.matchAll(/[\w+/=]{8,}/g)) {
    try {
      if (atob(word).includes("HUNTER2")) return true;
    } catch {
      // Not base64.
    }
  }
  return false;
}

describe("redactText, second round", () => {
  it.each(Object.entries(SECRET_LINES))("hides secrets in %s", (_, lines) => {
    const leaks = lines.filter((line) => shows(redactText(line)));
    expect(leaks).toEqual([]);
    for (const line of lines) expect(redactText(redactText(line))).toBe(redactText(line));
  });

  it("hides tokens of known shape wherever they stand", () => {
    const wrong = TOKENS.flatMap((token) =>
      [token, `curl -d ${token} u`, `"${token}"`, `x/${token} y`, `(${token})`]
        .filter((text) => redactText(text) !== text.replace(token, "[redacted]"))
        .map((text) => [text, redactText(text)]),
    );
    expect(wrong).toEqual([]);
  });

  it("leaves ordinary text as it is", () => {
    expect(ORDINARY_LINES.map((line) => redactText(line))).toEqual(ORDINARY_LINES);
  });
});

describe("the work of redactText", () => {
  const parts = [
    ...[
      "token",
      "token=",
      "token='",
      "--token ",
      "-u a:",
      "a://",
      "a://b:c/",
      "eyJa.",
      "bearer ",
      "basic aaaa",
      "Cookie: ",
    ],
    ...[
      "'Authorization:",
      "password-",
      "a.b-c_",
      "- -",
      "'",
      '"',
      "\\",
      " ",
      "\n",
      "mysql -p",
      "x=",
      "=",
      ":",
      "aA",
      "$(",
    ],
    ...["%41", "%", "a%20", "%2541", "YWJj", "<a>", "</a>", "<token>", "<<< ", "| echo ", "set token ", "password '"],
    ...[
      "name: token\n",
      "token: |\n",
      "token:\n ",
      '"token":[',
      '"token":{',
      '\\"token\\":\\"',
      "1:22:a:b:c\n",
      "a:22:b:c:",
    ],
    ...[
      "token: string = ",
      '"""',
      "-----BEGIN PRIVATE KEY-----",
      "Private-Lines: 1",
      "\\\n",
      "htpasswd -b a ",
      "echo a | chpasswd\n",
    ],
  ];
  const stepsPerCharacter = (text: string) => {
    let steps = 0;
    redactText(text, (more) => (steps += more));
    return steps / text.length;
  };

  it.each(parts)("grows with the length of a text alone: %j", (part) => {
    const [short, long] = [2_000, 64_000].map((length) => stepsPerCharacter(part.repeat(length / part.length)));
    expect(long).toBeLessThan(60);
    expect(long).toBeLessThan(1.5 * (short as number) + 1);
  });
});

describe("redactWords, second round", () => {
  it("hides secrets that are split over words", () => {
    expect(SECRET_WORDS.map((words) => redactWords(words)).filter((words) => words.some(shows))).toEqual([]);
  });

  it("leaves ordinary words as they are", () => {
    for (const line of ORDINARY_LINES.filter((text) => !/["'\n]/.test(text)))
      expect(redactWords(line.split(" "))).toEqual(line.split(" "));
  });
});

it("there are at least 80 texts of each kind", () => {
  expect(Object.values(SECRET_LINES).flat().length).toBeGreaterThanOrEqual(80);
  expect(ORDINARY_LINES.length).toBeGreaterThanOrEqual(80);
});
