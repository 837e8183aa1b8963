/** Parsing and serializing: the same bytes back, git's order, and an error for invalid objects. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GitError } from "../errors.ts";
import { decode, encode } from "../text/bytes.ts";
import { commitEncoding, parseCommit, serializeCommit } from "./commit.ts";
import { fsckObject } from "./fsck-object.ts";
import { objectLinks } from "./object-links.ts";
import type { Oid } from "./oid.ts";
import { parseTag, serializeTag } from "./tag.ts";
import { parseTree, serializeTree } from "./tree.ts";

const A = "a".repeat(40) as Oid;
const B = "b".repeat(40) as Oid;
const headers = `tree ${A}\nparent ${B}\nauthor A U <a@x> 1700000000 +0100\ncommitter C <c@x> 1700000001 -0000\n`;

describe("parseCommit", () => {
  it("keeps signature, merged tag and unknown headers in their order", () => {
    const text = `${headers}gpgsig -----BEGIN-----\n \n line\n -----END-----\nmergetag object ${B}\n type commit\nx y\n\nsubject\n\nbody\n`;
    const commit = parseCommit(encode(text));
    expect(commit.extra).toContainEqual({ name: "gpgsig", value: "-----BEGIN-----\n\nline\n-----END-----" });
    expect(commit).toMatchObject({ tree: A, parents: [B], committer: { zone: "-0000" }, message: "subject\n\nbody\n" });
    expect(decode(serializeCommit(commit))).toBe(text);
  });

  it("reads the message in the encoding it was written in", () => {
    const body = Buffer.from(`${headers}encoding ISO-8859-1\n\ncaf\xe9\n`, "latin1");
    const commit = parseCommit(body);
    expect(commit.message).toBe("café\n");
    expect(commitEncoding(commit)).toBe("ISO-8859-1");
    expect(Buffer.compare(serializeCommit(parseCommit(body, "")), body)).toBe(0);
  });

  it("refuses what is none", () => {
    expect(() => parseCommit(encode("hello"))).toThrow("bogus commit object: no tree");
    expect(() => parseCommit(encode(`tree ${A}\nparent x\n\n`))).toThrow("bogus commit object: bad parent");
  });
});

describe("serializeTree", () => {
  it("puts entries in git's order and gives them back", () => {
    const entry = (name: string, mode = 0o100644) => ({ mode, name, oid: A });
    const body = serializeTree([entry("a.b"), entry("a", 0o40000), entry("a-b"), entry("é"), entry("z", 0o120000)]);
    expect(parseTree(body).map(({ name }) => name)).toEqual(["a-b", "a.b", "a", "z", "é"]);
    expect(Buffer.compare(serializeTree(parseTree(body)), body)).toBe(0);
    expect(fsckObject("tree", body, true)).toEqual([]);
  });
});

describe("serializeTag", () => {
  it("gives the bytes back, with a tagger and without", () => {
    for (const tagger of ["tagger T <t@x> 1700000000 +0000\n", ""]) {
      const text = `object ${A}\ntype commit\ntag v1\n${tagger}\nmessage\n`;
      expect(decode(serializeTag(parseTag(encode(text))))).toBe(text);
    }
  });
});

describe("the parsers of objects", () => {
  it("answer any bytes with an object or a GitError", () => {
    const start = fc.constantFrom("", headers, `object ${A}\ntype commit\ntag x\n`, "100644 a\0", "40000 ");
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 100 }), (text, noise) => {
        const body = Buffer.concat([encode(text), noise]);
        for (const parse of [parseCommit, parseTree, parseTag]) {
          try {
            parse(body);
          } catch (error) {
            expect(error).toBeInstanceOf(GitError);
          }
        }
        for (const type of ["commit", "tree", "tag", "blob"] as const) {
          objectLinks(type, body);
          fsckObject(type, body, true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
