/** Commits that are written and shown in other encodings than UTF-8. */
import type { Scenario, Step } from "../scenario.ts";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const JAPANESE = "日本語のメッセージ\n\n本文、二行目。\n";
/** Written by iconv: the same text in three encodings. */
const EUC = bytes(
  "\xc6\xfc\xcb\xdc\xb8\xec\xa4\xce\xa5\xe1\xa5\xc3\xa5\xbb\xa1\xbc\xa5\xb8\n\n\xcb\xdc\xca\xb8\xa1\xa2\xc6\xf3\xb9\xd4\xcc\xdc\xa1\xa3\n",
);
const LATIN = bytes("gr\xfcn und \xe9t\xe9\n\nW\xf6rter\n");
/** A character that git takes for none, half of a pair, and a stray byte. */
const UNSOUND = bytes("caf\xe9 \xef\xbf\xbf x\n\nb\xc3\xa9d\xed\xa0\x80\n");

const latin: Step[] = [
  "git init -q",
  { write: { f: "one\n", latin: LATIN, ".git/info/exclude": "latin\nx\n" } },
  "git add f",
  "git config i18n.commitEncoding ISO8859-1",
  "git commit -F latin",
];

const shows = (name: string): Step[] => [
  `git log -1${name}`,
  `git log -1${name} --format=raw`,
  `git log -1${name} --format=email`,
  `git log -1${name} --oneline`,
  { git: ["log", "-1", ...name.split(" ").slice(1), "--format=%e|%s|%b|ä|%an|%<(20)%s|"] },
  `git show -s${name}`,
  `git rev-list --header -1${name} HEAD`,
  `git rev-list --format=%s -1${name} HEAD`,
  `git shortlog${name} HEAD`,
  `git blame${name} f`,
  `git blame -p${name} f`,
];

export const encodings: Scenario[] = [
  {
    name: "messages that are no UTF-8",
    steps: [
      "git init -q",
      { write: { x: UNSOUND } },
      "git commit --allow-empty -F x",
      "git cat-file commit HEAD",
      { git: ["commit-tree", "HEAD^{tree}", "-F", "x"] },
      { git: ["commit-tree", "HEAD^{tree}"], stdin: bytes("\xff\n") },
      "git tag -F x t",
      "git cat-file tag t",
      "git tag -n2",
      "git show -s t",
      "git for-each-ref --format='%(subject)' refs/tags",
      "git log",
    ],
  },
  {
    name: "i18n.commitEncoding",
    steps: [
      ...latin,
      "git cat-file commit HEAD",
      ...[
        "",
        " --encoding=UTF-8",
        " --encoding=none",
        " --encoding=",
        " --encoding=utf-16x",
        " --encoding=EUC-JP",
      ].flatMap(shows),
      "git commit --allow-empty -C HEAD",
      "git -c i18n.commitEncoding=UTF-8 commit --allow-empty -C HEAD",
      "git cat-file commit HEAD",
      "git commit --amend --allow-empty --no-edit",
      "git cat-file commit HEAD",
      "git -c i18n.commitEncoding=EUC-JP commit --allow-empty -C HEAD",
      "git cat-file commit HEAD",
      "git -c i18n.commitEncoding=nothing commit --allow-empty -C HEAD",
      "git cat-file commit HEAD",
      "git commit --allow-empty -m 'ünï'",
      "git commit --allow-empty --fixup HEAD~4",
      "git cat-file commit HEAD",
      { git: ["commit-tree", "HEAD^{tree}", "-m", "é"] },
      "git branch -v",
      "git for-each-ref --format='%(subject) %(authorname)'",
      "git reflog",
      "git log --grep=grün --oneline",
      "git log --grep=grün --encoding=UTF-8 --oneline",
    ],
  },
  {
    name: "i18n.logOutputEncoding",
    steps: [
      ...latin,
      "git config i18n.logOutputEncoding UTF-8",
      ...shows(""),
      "git commit --allow-empty -C HEAD",
      "git reset --hard",
      "git checkout -q --detach",
      "git checkout HEAD~1",
      "git log --grep=grün --oneline",
      "git log -g --oneline",
      "git log --format='%s é' --encoding=latin1 -1",
      "git -c i18n.logOutputEncoding=ISO-8859-2 log -1",
      "git -c i18n.logOutputEncoding=KOI8-R log -1",
    ],
  },
  {
    name: "Japanese encodings",
    steps: [
      "git init -q",
      { write: { x: EUC } },
      "git -c i18n.commitEncoding=eucJP commit --allow-empty -F x",
      { git: ["-c", "i18n.commitEncoding=EUC-JP", "commit", "--allow-empty", "-m", "plain"] },
      ...["UTF-8", "eucJP", "ISO-2022-JP", "SHIFT-JIS", "SJIS", "ISO8859-1"].flatMap((name): Step[] => [
        `git log --encoding=${name}`,
        `git log --encoding=${name} --format=%s`,
        `git -c i18n.commitEncoding=${name} commit --allow-empty -C HEAD~1`,
        "git cat-file commit HEAD",
        "git reset -q --hard HEAD~1",
      ]),
      { git: ["commit", "--allow-empty", "-F", "-"], stdin: JAPANESE },
      "git log -1 --encoding=ISO-2022-JP",
      "git log -1 --encoding=eucJP --format='%<(12,trunc)%s|'",
    ],
  },
  {
    name: "picks between encodings",
    steps: [
      ...latin,
      "git checkout -q -b side",
      { write: { g: "one\n" } },
      "git add g",
      "git commit -q -F latin",
      "git checkout -q -b other HEAD~1",
      "git config i18n.commitEncoding UTF-8",
      "git cherry-pick side",
      "git cat-file commit HEAD",
      "git config i18n.commitEncoding ISO-8859-15",
      "git revert --no-edit HEAD",
      "git cat-file commit HEAD",
      "git cherry-pick side",
      "git cat-file commit HEAD",
      "git config --unset i18n.commitEncoding",
      "git commit -q --allow-empty -m base",
      "git rebase --onto HEAD~1 HEAD~2 side",
      "git rebase -f HEAD~1",
      "git cat-file commit HEAD",
      "git config i18n.commitEncoding latin1",
      "git merge -m 'Grüße' --no-ff -q other",
      { write: { f: "two\n" } },
      "git stash",
      "git stash list",
      "git cat-file commit stash",
    ],
  },
  {
    name: "working-tree-encoding of other encodings",
    steps: [
      "git init -q",
      {
        write: {
          ".gitattributes":
            "*.sjis working-tree-encoding=SHIFT-JIS\n*.euc working-tree-encoding=EUC-JP\n*.koi working-tree-encoding=KOI8-R\n",
        },
      },
      {
        write: {
          "a.euc": EUC,
          "b.koi": bytes("\xd2\xd5\xd3\n"),
          "c.sjis": bytes("\x93\xfa\x96{\n"),
          "bad.sjis": bytes("\x93\n"),
        },
      },
      "git add .",
      "git add a.euc b.koi c.sjis",
      "git show :a.euc",
      "git show :b.koi",
      "git show :c.sjis",
      { remove: "a.euc" },
      { remove: "c.sjis" },
      "git checkout a.euc c.sjis",
      "git status --short",
    ],
  },
];
