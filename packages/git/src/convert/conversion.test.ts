/** What is stored of a file with every kind of line ending, beside `git hash-object --path`; and back, beside `git checkout-index`. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchRepository } from "../../test/scratch-repository.ts";
import { hashObject } from "../hash/hash-object.ts";
import type { Oid } from "../object/oid.ts";
import { openConversion } from "./conversion.ts";

const contents: Record<string, string> = {
  lf: "a\nb\n",
  crlf: "a\r\nb\r\n",
  mixed: "a\r\nb\n",
  lonecr: "a\rb\n",
  nul: "a\0\r\nb\r\n",
  odd: `${"\x01".repeat(9)}${"a".repeat(100)}\r\n`,
  ctrlz: "a\r\n\x1a",
  empty: "",
  ident: "$Id$ $Id: old $ $Id: with spaces in it $ $Id: open\n$\r\n",
};
const attributes = [
  "",
  "text",
  "-text",
  "text=auto",
  "eol=lf",
  "eol=crlf",
  "text=auto eol=crlf",
  "text=auto eol=lf",
  "ident",
  "crlf=input",
];
const settings = [{}, { "core.autocrlf": "true" }, { "core.autocrlf": "input" }, { "core.eol": "crlf" }];

it("Conversion stores and checks out what git does", async () => {
  using repo = scratchRepository();
  for (const [i, setting] of settings.entries()) {
    for (const [key, value] of Object.entries(setting)) repo.git("config", key, value);
    for (const [j, attribute] of attributes.entries()) {
      repo.write({ ".gitattributes": `* ${attribute}\n` });
      const conversion = await openConversion(await repo.open());
      const names = Object.keys(contents);
      repo.write(contents);
      const stored = repo.gitBytes(["hash-object", "--stdin-paths"], names.join("\n")).toString().trim().split("\n");
      const oids: string[] = [];
      for (const name of names) {
        oids.push(hashObject("blob", await conversion.toGit(name, Buffer.from(contents[name] ?? ""))));
      }
      expect({ setting, attribute, oids }).toEqual({ setting, attribute, oids: stored });

      const raw = repo
        .gitBytes(["hash-object", "-w", "--no-filters", "--stdin-paths"], names.join("\n"))
        .toString()
        .trim()
        .split("\n");
      repo.gitBytes(["update-index", "--index-info"], names.map((name, at) => `100644 ${raw[at]}\t${name}\n`).join(""));
      const target = join(repo.path, `.git/out-${i}-${j}`);
      mkdirSync(target);
      repo.git("checkout-index", "-a", "-f", `--prefix=${target}/`);
      for (const [at, name] of names.entries()) {
        const ours = conversion.toWorkTree(name, Buffer.from(contents[name] ?? ""), raw[at] as Oid);
        expect({ setting, attribute, name, text: Buffer.from(ours).toString() }).toEqual({
          setting,
          attribute,
          name,
          text: readFileSync(join(target, name), "utf8"),
        });
      }
    }
    for (const key of Object.keys(setting)) repo.git("config", "--unset", key);
  }
});
