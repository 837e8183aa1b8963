/** The files of the shell's oracle; one character a byte. */
export const files: Readonly<Record<string, string>> = {
  "a.txt": "apple\nBanana\ncherry pie\n\napple tart\nfoo.bar\nfoobar\n a b\tc\n",
  "b.txt": "one\ntwo apple\nthree\nno newline at the end",
  "empty.txt": "",
  "code.ts": "export function add(a: number, b: number) {\n  return a + b; // apple\n}\n\nconst x = add(1, 2);\n",
  "numbers.txt": "10\n9\n2\n33\n1\n2\n",
  "table.csv": "name,age,city\nann,31,rome\nbob,7,oslo\ncid,22,rome\n",
  "data.json": '{"items":[{"n":1,"s":"x"},{"n":2,"s":"y"}],"ok":true}\n',
  "sub/deep/c.txt": "deep apple\n[brackets] (parens) {braces} a|b a+b a*b\n",
  "sub/d.md": "# Title\n\napple in sub\nThe END\n",
  ".hidden": "hidden apple\n",
  "utf8.txt": "caf\xc3\xa9 apple\n\xc3\x89cole\nna\xc3\xafve\n",
  binary: "apple\0binary\napple again\n",
  "with space.txt": "apple with space\n",
  "patterns.txt": "apple\nfoo\n",
};
