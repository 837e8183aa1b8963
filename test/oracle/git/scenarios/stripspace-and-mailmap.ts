/** Commands that need little: `stripspace`, `check-mailmap`. */
import type { Scenario } from "../scenario.ts";

const untidy = "\n\n  one  \n\n\n\ttwo\t\n# note\n\n\nthree";

export const smallCommands: Scenario[] = [
  {
    name: "paths from the root of all",
    steps: [
      "git init -q",
      { write: { f: "1\n2\n", "d/x": "x\n" } },
      "git add .",
      "git commit -q -m one",
      ...[
        ["blame", "-s", "<root>/f"],
        ["blame", "-s", "HEAD", "--", "<root>/f"],
        ["blame", "<root>/../zz"],
        ["log", "--format=%s", "-L1,1:<root>/f"],
        ["ls-tree", "HEAD", "<root>/f"],
        ["check-attr", "text", "<root>/f"],
        ["update-index", "--add", "<root>/f"],
        ["rev-parse", "--prefix", "d/", "<root>/f"],
        ["mv", "<root>/d/x", "<root>/y"],
        ["reset", "<root>/y"],
        ["mv", "<root>/../zz", "<root>/y"],
      ].map((git) => ({ git, cwd: "d" })),
    ],
  },
  {
    name: "stripspace",
    repositories: [],
    steps: [
      { git: ["stripspace"], stdin: untidy },
      { git: ["stripspace", "-s"], stdin: untidy },
      { git: ["stripspace", "--strip-comments"], stdin: "# a\nb\n" },
      { git: ["stripspace", "-c"], stdin: untidy },
      { git: ["stripspace", "-c"], stdin: "" },
      { git: ["stripspace"], stdin: "" },
      { git: ["stripspace"], stdin: "\n\n" },
      "git stripspace --foo",
      "git init -q",
      { git: ["-c", "core.commentChar=;", "stripspace", "-s"], stdin: "; a\n# b\n" },
      { git: ["-c", "core.commentChar=;", "stripspace", "-c"], stdin: "a\n" },
    ],
  },
  {
    name: "check-mailmap",
    steps: [
      "git init -q",
      {
        write: {
          ".mailmap": [
            "# who is who",
            "Proper Name <commit@example.com>",
            "<proper@example.com> <other@example.com>",
            "Both <both@example.com> <third@example.com>",
            "Joe R. Developer <joe@example.com> Joe <bugs@example.com>",
            "Jane <jane@example.com> jane <BUGS@example.com>",
            "",
          ].join("\n"),
        },
      },
      "git check-mailmap 'x <commit@example.com>'",
      "git check-mailmap 'x <COMMIT@example.com>' 'y <other@example.com>' 'z <third@example.com>'",
      "git check-mailmap 'Joe <bugs@example.com>' 'JANE <bugs@example.com>' 'Nobody <bugs@example.com>'",
      "git check-mailmap '<commit@example.com>' '<nobody@example.com>'",
      { git: ["check-mailmap", "--stdin"], stdin: "a <commit@example.com>\nb <c@d>\n" },
      "git check-mailmap",
      "git check-mailmap nobody",
      "git -c mailmap.file=extra check-mailmap 'x <e@f>'",
      { write: { extra: "Extra <e@f>\n" } },
      "git -c mailmap.file=extra check-mailmap 'x <e@f>'",
    ],
  },
  {
    name: "lines of stdin that end with CRLF",
    steps: [
      "git init -q -b main",
      { write: { a: "a\n", "d/b": "b\n", ".gitattributes": "* x\n" } },
      "git add .",
      "git commit -q -m one",
      ...(
        [
          ["HEAD\r\n:a\r\n\r\nnope\r\nHEAD", "cat-file", "--batch-check"],
          ["HEAD\r\n:a\r\n", "cat-file", "--batch"],
          ["HEAD  more\r\n:a \r\n", "cat-file", "--batch-check=%(objecttype) [%(rest)]"],
          ["info HEAD\r\ncontents :a\r\nflush\r\n", "cat-file", "--batch-command", "--buffer"],
          ["HEAD\r\0HEAD\0", "cat-file", "--batch-check", "-z"],
          ["a\r\nd/b\n", "check-attr", "--stdin", "x"],
          ["a\r\n", "check-ignore", "-v", "-n", "--stdin"],
          ["a\r\n", "hash-object", "--stdin-paths"],
          ["HEAD\r\n", "rev-list", "--stdin"],
          ["HEAD\r\n--\r\na\r\n", "rev-list", "--stdin"],
          ["HEAD\r\n", "diff-tree", "--stdin"],
          ["HEAD\r\n", "name-rev", "--annotate-stdin"],
          ["a\r\n", "update-index", "--stdin"],
          ["a\r\n", "add", "--pathspec-from-file=-"],
          ["a\r\n", "rm", "--dry-run", "--pathspec-from-file=-"],
          ["update refs/heads/x HEAD\r\n", "update-ref", "--stdin"],
          ["A <a@b>\r\n", "check-mailmap", "--stdin"],
          ["tree\r\n", "stripspace"],
        ] as const
      ).map(([stdin, ...git]) => ({ git, stdin })),
    ],
  },
  {
    name: "check-attr and check-ignore of paths outside of the repository",
    steps: [
      "git init -q -b main",
      { write: { a: "a\n", "d/b": "b\n", ".gitattributes": "* x\n" } },
      ...["../x", "/etc/passwd", "./a", "a/../../x", "<root>/a", "d/../a", "x/../y", "a\n../x\na", ""].flatMap(
        (path) => [
          { git: ["check-attr", "--stdin", "x"], stdin: `${path}\n` },
          { git: ["check-attr", "-z", "--stdin", "x"], stdin: `${path}\0` },
          { git: ["check-attr", "x", "--", path] },
          { git: ["check-ignore", "-v", "-n", "--stdin"], stdin: `${path}\n` },
          { git: ["check-ignore", "-v", "-n", "--", path] },
        ],
      ),
      { git: ["check-attr", "--stdin", "x"], stdin: "../a\n../../x\n", cwd: "d" },
      { git: ["check-attr", "--stdin", "--all"], stdin: "b\n../../x\n", cwd: "d" },
    ],
  },
];
