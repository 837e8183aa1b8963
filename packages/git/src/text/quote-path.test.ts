/** Quoted names, compared with real git's `ls-files`. */
import { expect, it } from "vitest";
import { scratchRepository } from "../../test/scratch-repository.ts";
import { quotePath, unquotePath } from "./quote-path.ts";

const names = [
  "plain",
  "sp ace",
  "tab\tname",
  'quo"te',
  "back\\slash",
  "ünï",
  "bell\x07\b\v\f\r",
  "del\x7f",
  "日本",
  "n\nl",
];

it("quotePath quotes as git does, with core.quotePath and without", () => {
  using repo = scratchRepository();
  repo.write(Object.fromEntries(names.map((name) => [name, ""])));
  repo.git("add", ".");
  for (const full of [true, false]) {
    const listed = repo.git("-c", `core.quotePath=${full}`, "ls-files").trimEnd().split("\n");
    expect(new Set(names.map((name) => quotePath(name, { full })))).toEqual(new Set(listed));
  }
});

it("unquotePath undoes quotePath, and refuses what is not well-formed", () => {
  for (const name of names) {
    const quoted = quotePath(name, { spaces: true });
    if (quoted.startsWith('"')) expect(unquotePath(quoted)).toEqual({ value: name, end: quoted.length });
  }
  expect(unquotePath('"open')).toBeNull();
  expect(unquotePath('"\\q"')).toBeNull();
  expect(unquotePath('"\\400"')).toBeNull();
  expect(unquotePath("plain")).toBeNull();
});
