import { describe, expect, it } from "vitest";
import { checkCommand, SHELL_COMMAND_ALLOWLIST } from "./allowed-commands.ts";
import { filterEnvironment } from "./environment.ts";

const LIST = [
  "git",
  "go test *",
  "npm run build",
  "ls",
  "echo",
  "printf",
  "test",
  "[",
  "eval",
  "export",
  "read",
  "unset",
];

/** Each of them would run `rm`, or another command that is not on the list. */
const BYPASSES = [
  "rm -rf /",
  "git; rm -rf /",
  "git && rm -rf /",
  "git || rm -rf /",
  "git | rm",
  "git & rm",
  "git |& rm",
  "git\nrm -rf /",
  "git\r\nrm",
  "git \\\n rm",
  "git $(rm -rf /)",
  'git "$(rm -rf /)"',
  "git `rm -rf /`",
  'git "`rm`"',
  "git <(rm)",
  "git >(rm)",
  "git > /etc/passwd",
  "git >> file",
  "git < /etc/shadow",
  "git << EOF",
  "git <<< x",
  "git 2>&1",
  "(rm)",
  "{ rm; }",
  "git; { rm; }",
  "ls $" + "{x:-$(rm)}",
  "ls $" + "{x@P}",
  "ls $((a[$(rm)]))",
  "ls $'\\x72m'",
  "git; $'rm'",
  "gitrm",
  "git-evil",
  "./git",
  "/usr/bin/git",
  "GIT",
  "git\u00a0status; rm",
  "FOO=bar git",
  "PATH=/tmp git status",
  "LD_PRELOAD=/tmp/x.so git status",
  "$SHELL -c rm",
  "$x",
  '"$x" status',
  "go run main.go",
  "go testx",
  "go $x",
  'go "$x"',
  "go {test,run}",
  "g?t status",
  "gi* status",
  "[g]it",
  "~/git",
  "npm run builder",
  "npm run",
  "! rm",
  "if true; then rm; fi",
  "while :; do rm; done",
  "for x in a; do rm; done",
  "function git { rm; }",
  "git() { rm; }",
  "eval rm",
  "exec rm",
  "env rm",
  "time rm",
  "command rm",
  "sh -c 'rm'",
  "ls # \nrm",
  "git 'unclosed",
  'git "unclosed',
  "git \0 rm",
  "; rm",
  "",
  "   ",
  "git ;; rm",
  "coproc rm",
  "ls\u2028rm",
  "git --exec-path=$(rm)",
  "ls 'a[$(rm)]'; ls \"$[_]\"",
  'ls "$[_]"',
  "ls $[_]",
  'ls "$((1))"',
  'ls "$x[0]"',
  "ls $x[$y]",
  'ls "$1"',
  'ls "$"',
  "ls $@",
  'ls "$!"',
  "ls\u00a0rm",
  "ls\u3000x",
  "ls \u001b",
  "ls '\u001b'",
  "a=1 ls",
  "ls; a[0]=1 ls",
  "printf -v 'a[$(rm)]' x",
  'printf "-v" "a[\\$(rm)]" x',
  "printf -va x",
  "printf $x y",
  'printf "$x" y',
  "test -v 'a[$(rm)]'",
  "test -R x",
  "test 1 -eq 1 -a -v 'a[$(rm)]'",
  "test $x a",
  'test "$x" "$y"',
  "test ! -v a",
  "\\[ -v 'a[$(rm)]' ]",
  "'[' 1 -eq 1 -a -v 'a[$(rm)]' ']'",
  "'[' -v 'a[$(rm)]'",
  "printf %n PATH; ls",
  "printf '%s%-5ln' x PATH; ls",
  "printf -- %n PATH; ls",
  "export PATH=/tmp",
  "read 'a[$(rm)]'",
  "unset 'a[$(rm)]'",
];

describe("checkCommand", () => {
  it("has at least 40 ways around the list to hold against", () => {
    expect(BYPASSES.length).toBeGreaterThanOrEqual(40);
  });

  it.each(BYPASSES)("refuses %j", (command) => {
    expect(() => checkCommand(command, LIST)).toThrow(/not run/);
  });

  it.each([
    "git status --short",
    "git",
    "'git' status",
    'g"i"t log',
    "\\git log",
    "go test ./...",
    "go test",
    "npm run build --watch",
    "git add . && go test ./... || echo failed; ls -la | echo x",
    "echo 'a; rm -rf / > x $(y)'",
    'echo "a; b > c" "$HOME"',
    "git commit -m 'two words'",
    "ls *.ts",
    "echo $HOME a=b",
    "echo 100%",
    "echo 'a[0]' a=b ünïcode 你好 🎉",
    "ls [ab]*.ts",
    "printf '%s\\n' $HOME",
    'test -f package.json && test "$HOME" != /root || test ! -d x',
  ])("lets %j pass", (command) => {
    expect(() => checkCommand(command, LIST)).not.toThrow();
  });

  it("takes argv without a shell: what looks like one is only an argument", () => {
    expect(() => checkCommand(["git", "log", "; rm -rf /"], LIST)).not.toThrow();
    expect(() => checkCommand(["printf", "%d%%\\n", "1"], LIST)).not.toThrow();
    expect(() => checkCommand(["[", "-f", "x", "]"], LIST)).not.toThrow();
    expect(() => checkCommand(["go", "run", "x"], LIST)).toThrow(/not run/);
    for (const argv of [["/bin/rm"], ["./git"], [""], ["-x"], ["a b"], ["git\0"]])
      expect(() => checkCommand(argv, undefined)).toThrow();
  });

  it.each([
    ["printf", "-v", "a[$(rm)]", "x"],
    ["test", "-v", "a[$(rm)]"],
    ["[", "-v", "a[$(rm)]", "]"],
    ["eval", "rm"],
  ])("refuses argv that the Worker's shell evaluates: %j", (...argv) => {
    expect(() => checkCommand(argv, LIST)).toThrow(/not run/);
  });

  it("allows everything without a list, and nothing with an empty one", () => {
    expect(() => checkCommand("rm -rf / > x", undefined)).not.toThrow();
    expect(() => checkCommand("ls", [])).toThrow("no command is allowed");
    expect(() => checkCommand(["ls"], [])).toThrow("no command is allowed");
  });

  it("has the tool::* family's list as a preset", () => {
    expect(SHELL_COMMAND_ALLOWLIST).toHaveLength(40);
    expect(() => checkCommand(["git", "status", "--short"], SHELL_COMMAND_ALLOWLIST)).not.toThrow();
    expect(() => checkCommand("bash -c ls", SHELL_COMMAND_ALLOWLIST)).toThrow();
  });
});

it("filterEnvironment lets through a few names, and what the host adds", () => {
  const source = { PATH: "/bin", HOME: "/h", LC_ALL: "C", API_KEY: "s", TERM: "x", LD_PRELOAD: "y" };
  expect(filterEnvironment(source, { CI: "1" })).toEqual({ PATH: "/bin", HOME: "/h", LC_ALL: "C", TERM: "x", CI: "1" });
});
