/** Attributes and line endings. Files are written and added in steps, so that nothing depends on a clock. */
import type { Scenario } from "../scenario.ts";

const files = {
  crlf: "a\r\nb\r\n",
  lf: "a\nb\n",
  mixed: "a\r\nb\n",
  bin: "a\0\r\n",
  lonecr: "a\rb\n",
  none: "",
};

export const attributes: Scenario[] = [
  {
    name: "check-attr",
    steps: [
      "git init -q",
      "git check-attr",
      "git check-attr text",
      "git check-attr text a",
      "git check-attr -a a",
      {
        write: {
          ".gitattributes":
            '* text=auto\n*.bin binary\na -text foo=bar !baz\n[attr]mac x -y z=1\nm mac\n"q\\tx" q\n/d/c anch\nd/*.x deep\n',
          "d/.gitattributes": "!a x\nb [attr]y\nc only\n[attr]sub no\n",
          a: "a\n",
        },
      },
      "git check-attr text a b",
      "git check-attr -a a x.bin m d/c d/f.x 'q\tx'",
      "git check-attr text foo -- a b",
      "git check-attr -z -a a",
      { git: ["check-attr", "--stdin", "text"], stdin: "a\nb\n" },
      { git: ["check-attr", "--stdin", "-z", "text"], stdin: "a\0b\0" },
      "git check-attr --cached text a",
      "git check-attr 'b@d' a",
      "git check-attr --stdin",
      "git check-attr -- a",
      { git: ["check-attr", "text", "c", "../a"], cwd: "d" },
      { write: { ".git/info/attributes": "a info\n", global: "a glob text\n" } },
      "git -c core.attributesFile=<root>/global check-attr -a a b",
      { remove: "d/.gitattributes" },
      "git add .",
      { remove: ".gitattributes" },
      "git check-attr -a a b",
      "git check-attr --cached -a a b",
    ],
  },
  {
    name: "autocrlf=true",
    steps: [
      "git init -q",
      "git config core.autocrlf true",
      { write: files },
      "git add .",
      "git ls-files -s",
      "git ls-files --eol",
      "git status --short",
      "git commit -m one",
      { write: { crlf: "a\r\nb\r\nc\r\n", lf: "a\nb\nc\n" } },
      "git add -v crlf lf",
      "git ls-files -s",
    ],
  },
  {
    name: "autocrlf=input, and files that were stored with CRLF",
    steps: [
      "git init -q",
      { write: files },
      "git add .",
      "git commit -q -m raw",
      "git config core.autocrlf input",
      { write: { crlf: "a\r\nb\r\nc\r\n", new: "n\r\n" } },
      "git add -v crlf new",
      "git ls-files --eol",
      "git add --renormalize -v .",
      "git ls-files -s",
      "git status --short",
    ],
  },
  {
    name: "safecrlf",
    steps: [
      "git init -q",
      { write: files },
      "git -c core.autocrlf=true -c core.safecrlf=true add lf",
      "git -c core.autocrlf=input -c core.safecrlf=true add crlf",
      "git -c core.autocrlf=true -c core.safecrlf=false add lf",
      "git -c core.autocrlf=true -c core.safecrlf=warn add mixed",
      "git ls-files -s",
      // Without the setting the file is another than what is staged, which is seen or not by its time.
      "git rm -q -f --cached mixed",
    ],
  },
  {
    name: "text, eol and ident",
    steps: [
      "git init -q",
      {
        write: {
          ".gitattributes": "* text=auto\n*.bat eol=crlf\n*.sh eol=lf\nforced text\nraw -text\nid ident\n",
          "x.bat": "a\r\nb\r\n",
          "y.bat": "a\nb\n",
          "z.sh": "a\r\nb\n",
          forced: "a\0\r\nb\r\n",
          raw: "a\r\n",
          id: "$Id: foo$ $Id$ $Id: x\n$\n",
        },
      },
      "git add .",
      "git ls-files -s",
      "git ls-files --eol",
      "git commit -q -m one",
      "git status --short",
      "git cat-file -p HEAD:id",
    ],
  },
  {
    name: "working-tree-encoding",
    steps: [
      "git init -q",
      {
        write: {
          ".gitattributes":
            "u16 working-tree-encoding=UTF-16\nle working-tree-encoding=UTF-16LE text\nbad working-tree-encoding=FOO\nset working-tree-encoding\nu8 working-tree-encoding=UTF-8\n",
          u16: Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0, 10, 0),
          le: Uint8Array.of(0x68, 0, 0x69, 0, 10, 0),
          u8: "ü\n",
          set: "x\n",
        },
      },
      "git add u16 le u8 .gitattributes",
      "git cat-file -p :u16",
      "git cat-file -p :le",
      "git add set",
      { remove: "set" },
      { write: { u16: Uint8Array.of(0x68, 0) } },
      "git add u16",
      "git status --short",
    ],
  },
];
