/**
 * One step of a hostile model: a line of git, made from the engine's own flag tables, or a file of the repository that decides what a
 * later line does: configuration, aliases, todo lists, refs, attributes, hooks, the state of a bisect, notes and work trees.
 */
import type { Flag } from "../../../packages/git/src/cli/framework/flag-table.ts";
import { registry } from "../../../packages/git/src/cli/registry.ts";
import type { Random } from "../../support/random.ts";
import { COMMAND, INNER, type Planted, W } from "./plant-repository.ts";

export type Step =
  | { kind: "git"; argv: string[] }
  | { kind: "file"; path: string; content: string }
  | { kind: "link"; path: string; target: string };

const commands = Object.values(registry);
const INSTANT = "1700000000 +0000";

export class StepGenerator {
  readonly #random: Random;
  readonly #oids: readonly string[];
  readonly #addresses: readonly string[];
  readonly #values: readonly string[];

  /** `origin`: of the recording server. */
  constructor(random: Random, { commit, blob, own }: Planted, origin: string) {
    this.#random = random;
    this.#oids = [commit, blob, own, `${commit}^{tree}`, `${commit}:.env`, "HEAD", "main", "side", "evil"];
    this.#addresses = [
      ...[
        W,
        `${W}/.git`,
        "..",
        "file:///workspace",
        `file://${W}/.git`,
        "ext::sh -c id",
        "ssh://h/x",
        "git://127.0.0.1/x",
      ],
      ...[`${origin}/open.git`, `${origin}/open.git`, `${origin.replace("127.0.0.1", "localhost")}/open.git`, "o"],
      ...["http://127.0.0.1:9/x.git", "https://example.com/x.git", `http://me:x@${origin.slice(7)}/open.git`],
    ];
    this.#values = [
      ...[
        `${W}/.env`,
        "../.env",
        "../outer.ini",
        `${W}/.git`,
        "..",
        ".",
        "b.txt",
        "out",
        "up/.env",
        "gitfile",
        "alt.git",
      ],
      ...this.#oids,
      ...["HEAD:b.txt", "HEAD~0", "@{u}", "@{-1}", "refs/heads/main", "HEAD..main", "main...side", ":/own", ":0:b.txt"],
      ...["%(raw)", "%(*raw)", "%B%n%N", "format:%b", "%(contents)", "%(trailers)", "%aN %cE %D"],
      ...[
        "1",
        "0",
        "all",
        "name",
        "true",
        "x",
        "--",
        "-",
        "",
        "*",
        ":(glob)**",
        ":/",
        ":(attr:f)",
        ":(top,exclude)b.txt",
      ],
      ...this.#addresses,
      ...[
        COMMAND,
        `!${COMMAND}`,
        `include.path=${W}/outer.ini`,
        `core.worktree=${W}`,
        `alias.z=!${COMMAND}`,
        "user.name",
      ],
    ];
  }

  next(): Step {
    if (this.#random.chance(0.15)) return this.#file();
    return { kind: "git", argv: this.#random.chance(0.25) ? this.#sequel() : this.#line() };
  }

  /** Any command, with any of its flags. */
  #line(): string[] {
    const random = this.#random;
    const command = random.pick(commands);
    const flags = Object.values(command.flags) as Flag[];
    const words: string[] = [];
    for (let i = random.below(4); i > 0 && flags.length > 0; i--)
      words.push(...this.#flag(random.pick(flags), random.pick(this.#values)));
    for (let i = random.below(4); i > 0; i--) words.push(random.pick(this.#values));
    return [...this.#globals(), command.name, ...words].filter((word) => !word.includes("\0"));
  }

  /** One flag in one of the forms that git reads: whole, abbreviated, with `=`, bundled with its value, negated. */
  #flag({ long, short, value }: Flag, given: string): string[] {
    const forms: string[][] = [];
    const takesValue = value !== undefined && value !== "count";
    if (long !== undefined) {
      forms.push(takesValue ? [`${long}=${given}`] : [long]);
      if (takesValue) forms.push([long, given]);
      forms.push(
        [`${long.slice(0, Math.max(3, long.length - 2))}${takesValue ? `=${given}` : ""}`],
        [`--no-${long.slice(2)}`],
      );
    }
    if (short !== undefined) forms.push(takesValue ? [`${short}${given}`] : [short], [short, given]);
    return forms.length === 0 ? [] : this.#random.pick(forms);
  }

  #globals(): string[] {
    const random = this.#random;
    if (random.chance(0.6)) return [];
    const value = random.pick(this.#values);
    const [section, name, setting] = this.#setting();
    return random.pick([
      ["-C", value],
      [`--git-dir=${value}`],
      ["--work-tree", value],
      ["--bare"],
      ["--namespace", value],
      ["--config-env", `${section.replaceAll('"', "")}.${name}=HOME`],
      ["-c", `${section.replace(/ "(.*)"$/, ".$1")}.${name}=${setting}`],
      ["-c", `${section.replace(/ "(.*)"$/, ".$1")}.${name}=${setting}`],
    ]);
  }

  /** What makes a planted file count, and what git has and the engine may get. */
  #sequel(): string[] {
    const random = this.#random;
    const oid = random.pick(this.#oids);
    const address = random.pick(this.#addresses);
    return random.pick([
      ...[["z"], ["y", oid], ["q"], ["-c", `alias.w=!${COMMAND}`, "w"], ["-c", "alias.v=show", "v", oid]],
      ...[
        ["rebase", "--continue"],
        ["rebase", "--skip"],
        ["rebase", "--edit-todo"],
        ["rebase", "-i", "--root"],
        ["rebase", "--abort"],
      ],
      ...[
        ["rebase", "-x", COMMAND, "HEAD~1"],
        ["rebase", "--exec", COMMAND, "--root"],
        ["rebase", "--autosquash", "-i", "side"],
      ],
      ...[
        ["cherry-pick", "--continue"],
        ["cherry-pick", oid],
        ["revert", "--continue"],
        ["revert", "--no-edit", oid],
      ],
      ...[
        ["bisect", "start", "HEAD", oid],
        ["bisect", "run", "sh", "-c", COMMAND],
        ["bisect", "log"],
        ["bisect", "replay", `${W}/.env`],
      ],
      ...[
        ["notes", "add", "-F", `${W}/.env`, "HEAD"],
        ["notes", "--ref", `../${oid}`, "show"],
        ["notes", "copy", oid, "HEAD"],
      ],
      ...[
        ["worktree", "add", W, "main"],
        ["worktree", "add", "../x", oid],
        ["worktree", "add", "src/w"],
        ["worktree", "list"],
      ],
      ...[
        ["submodule", "add", address, "s"],
        ["submodule", "update", "--init"],
        ["submodule", "foreach", COMMAND],
      ],
      ...[
        ["commit", "-a", "-m", "x"],
        ["commit", "--amend", "--no-edit"],
        ["commit", "-F", `${W}/.env`],
        ["commit", "-t", "../.env"],
      ],
      ...[
        ["merge", "FETCH_HEAD"],
        ["merge", "side"],
        ["merge", "--continue"],
        ["merge", "-s", COMMAND, "side"],
        ["pull"],
        ["pull", address],
      ],
      ...[
        ["fetch", address],
        ["fetch", "--all"],
        ["fetch", address, "+refs/*:refs/*"],
        ["clone", address, "src/c"],
        ["remote", "update"],
      ],
      ...[
        ["clone", "--reference", W, address, "src/d"],
        ["clone", "--template", W, address, "src/e"],
        ["ls-remote", address],
      ],
      ...[
        ["push", address, "main"],
        ["push", "--mirror", address],
        ["push", address, `${oid}:refs/heads/x`],
        ["push", "o", "--all"],
      ],
      ...[
        ["push", `--receive-pack=${COMMAND}`, address],
        ["fetch", `--upload-pack=${COMMAND}`, address],
      ],
      ...[
        ["log", "--all", "-p"],
        ["log", "-g", "-p"],
        ["show", oid],
        ["cat-file", "-p", oid],
        ["diff", "--ext-diff", "HEAD"],
      ],
      ...[
        ["log", "-S", "API", "--all"],
        ["grep", "API", oid],
        ["blame", "--contents", "out", "b.txt"],
        ["diff", "--no-index", "b.txt", "../.env"],
      ],
      ...[
        ["stash", "-u"],
        ["stash", "pop"],
        ["status", "--ignored"],
        ["check-attr", "-a", "b.txt"],
        ["check-ignore", "-v", "b.txt"],
      ],
      ...[
        ["add", "-A"],
        ["add", "out"],
        ["add", "up/.env"],
        ["reset", "--hard"],
        ["reset", "--hard", oid],
        ["checkout", oid, "--", "."],
      ],
      ...[
        ["clean", "-fdx"],
        ["gc", "--prune=now"],
        ["repack", "-ad"],
        ["fsck", "--lost-found"],
        ["reflog"],
        ["shortlog", "-e"],
      ],
      ...[
        ["hash-object", "-w", "out"],
        ["hash-object", "-w", "--stdin-paths"],
        ["update-index", "--cacheinfo", `100644,${oid},k`],
      ],
      ...[
        ["read-tree", oid],
        ["read-tree", "--prefix=k/", oid],
        ["write-tree"],
        ["unpack-objects"],
        ["index-pack", "--stdin"],
      ],
      ...[
        ["update-ref", "refs/heads/evil", oid],
        ["symbolic-ref", "HEAD", "refs/../../../.env"],
        ["tag", "t", oid],
      ],
      ...[
        ["for-each-ref", "--format=%(raw)"],
        ["branch", "--format=%(*raw)", "-a"],
        ["config", "-l", "--show-origin", "--includes"],
      ],
      ...[
        ["config", "-f", "../outer.ini", "-l"],
        ["config", "--blob", oid, "-l"],
        ["config", "--global", "a.b", "c"],
        ["var", "-l"],
      ],
      ...[
        ["archive", oid],
        ["bundle", "create", "src/b", oid],
        ["filter-branch", "--tree-filter", COMMAND],
        ["difftool", "-x", COMMAND],
      ],
      ...[
        ["credential", "fill"],
        ["send-email"],
        ["instaweb"],
        ["daemon"],
        ["upload-pack", W],
        ["receive-pack", W],
        ["shell"],
      ],
      ...[
        ["apply", "out"],
        ["am", "out"],
        ["format-patch", "-o", W, "HEAD~1"],
        ["fast-export", "--all"],
        ["rerere"],
        ["replace", "HEAD", oid],
      ],
      ...[
        ["init", W],
        ["init", "--template", W, "src/t"],
        ["init", "--separate-git-dir", `${W}/g`],
        ["sparse-checkout", "set", ".."],
      ],
    ]);
  }

  #file(): Step {
    const random = this.#random;
    const git = `${INNER}/.git`;
    const oid = random.pick(this.#oids);
    const file = (path: string, content: string): Step => ({ kind: "file", path: `${git}/${path}`, content });
    const link = (path: string, target: string): Step => ({ kind: "link", path, target });
    const target = random.pick([
      "../.env",
      "../../.env",
      "../../../.env",
      `${W}/.env`,
      `${W}/outer.ini`,
      `${W}/.git/HEAD`,
      W,
    ]);
    return random.pick<() => Step>([
      () => file("config", this.#config()),
      () => file("config", this.#config()),
      () => file("config.worktree", this.#config()),
      () => file("rebase-merge/git-rebase-todo", this.#todo()),
      () => file("rebase-merge/git-rebase-todo.backup", this.#todo()),
      () => file(`rebase-merge/${random.pick(["onto", "orig-head", "stopped-sha", "amend"])}`, `${oid}\n`),
      () =>
        file("rebase-merge/head-name", random.pick(["refs/heads/main\n", "refs/../../../.env\n", "detached HEAD\n"])),
      () => file("rebase-merge/author-script", `GIT_AUTHOR_NAME='$(${COMMAND})'\nGIT_AUTHOR_EMAIL='x'\n`),
      () => file("rebase-merge/interactive", ""),
      () => file("sequencer/todo", this.#todo()),
      () => file("sequencer/opts", `[options]\n\tgpg-sign = ${COMMAND}\n\tstrategy = ${COMMAND}\n`),
      () => file("sequencer/head", `${oid}\n`),
      () => file(random.pick(["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "ORIG_HEAD", "AUTO_MERGE"]), `${oid}\n`),
      () => file("FETCH_HEAD", `${oid}\t\tbranch 'main' of ${random.pick(this.#addresses)}\n`),
      () =>
        file(
          "HEAD",
          random.pick([`${oid}\n`, "ref: refs/heads/evil\n", "ref: ../.env\n", "ref: refs/heads/../../../../.env\n"]),
        ),
      () => file("packed-refs", `# pack-refs with: peeled\n${oid} refs/heads/evil\n${oid} refs/notes/commits\n`),
      () =>
        file(
          random.pick(["refs/heads/evil", "refs/notes/commits", "refs/stash", "refs/replace/x", "refs/bisect/bad"]),
          `${oid}\n`,
        ),
      () => file("refs/heads/evil", `ref: ${random.pick(["../../../.env", `${W}/.env`, "refs/heads/main"])}\n`),
      () => file("logs/HEAD", `${oid} ${oid} a <b> ${INSTANT}\tcheckout: moving from ../.env to main\n`),
      () => file(random.pick(["BISECT_LOG", "BISECT_NAMES", "BISECT_RUN"]), `git bisect run ${COMMAND}\n`),
      () => file("BISECT_START", `${oid}\n`),
      () => file("worktrees/w/gitdir", `${W}/.git\n`),
      () => file("worktrees/w/commondir", random.pick(["../..\n", `${W}/.git\n`])),
      () => file("commondir", random.pick([`${W}/.git\n`, "../../.git\n", "../..\n"])),
      () => file("gitdir", `${W}/.git\n`),
      () => file("modules/s/config", this.#config()),
      () =>
        file(
          "objects/info/alternates",
          random.pick([`${W}/.git/objects\n`, "../../../.git/objects\n", "#\n../../../../.git/objects\n"]),
        ),
      () => file("objects/info/http-alternates", `${random.pick(this.#addresses)}\n`),
      () => file("info/grafts", `${oid} ${oid}\n`),
      () => file("shallow", `${oid}\n`),
      () =>
        file(
          "info/attributes",
          `* ${random.pick(["filter=f", "diff=f", "merge=f", "text working-tree-encoding=UTF-16", "ident"])}\n`,
        ),
      () => file("info/sparse-checkout", "/*\n!/b.txt\n"),
      () =>
        file(
          `hooks/${random.pick(["pre-commit", "post-checkout", "pre-push", "reference-transaction", "post-index-change"])}`,
          `#!/bin/sh\n${COMMAND}\n`,
        ),
      () =>
        link(
          `${git}/${random.pick(["MERGE_MSG", "SQUASH_MSG", "COMMIT_EDITMSG", "index", "config", "HEAD", "packed-refs", "description"])}`,
          target,
        ),
      () =>
        link(
          `${git}/${random.pick(["refs/heads/evil", "logs/HEAD", "info/exclude", "info/attributes", "rebase-merge", "hooks", "objects/aa"])}`,
          target,
        ),
      () =>
        link(
          `${INNER}/${random.pick([".gitignore", ".gitattributes", ".mailmap", ".gitmodules", "b.txt", "src", "link"])}`,
          target,
        ),
      () => ({
        kind: "file",
        path: `${INNER}/.gitmodules`,
        content: `[submodule "s"]\n\tpath = ${random.pick(["s", "../x", W])}\n\turl = ${random.pick(this.#addresses)}\n\tupdate = !${COMMAND}\n`,
      }),
      () => ({
        kind: "file",
        path: `${INNER}/alt.git`,
        content: `gitdir: ${random.pick([`${W}/.git`, "../.git", "up/.git"])}\n`,
      }),
      () => ({ kind: "file", path: `${INNER}/.gitattributes`, content: "* filter=f diff=f merge=f export-subst\n" }),
    ])();
  }

  #config(): string {
    const lines = ["[core]\n\trepositoryformatversion = 0\n"];
    for (let i = this.#random.between(1, 4); i > 0; i--) {
      const [section, name, value] = this.#setting();
      lines.push(`[${section}]\n\t${name} = ${value}\n`);
    }
    return lines.join("");
  }

  #setting(): [section: string, name: string, value: string] {
    const random = this.#random;
    const address = random.pick(this.#addresses);
    const outside = random.pick([`${W}/.env`, "../.env", "../../.env", `${W}/outer.ini`, "~/../workspace/.env"]);
    return random.pick<[string, string, string]>([
      [
        "alias",
        "z",
        random.pick([
          `!${COMMAND}`,
          `log -p ${random.pick(this.#oids)}`,
          `-c core.worktree=${W} status`,
          "!git show main",
        ]),
      ],
      ["alias", "y", random.pick(["show", "cat-file -p", "y", `-C ${W} show`])],
      ["include", "path", outside],
      ['includeIf "gitdir:**"', "path", outside],
      ['includeIf "onbranch:main"', "path", outside],
      ...["worktree", "excludesFile", "attributesFile", "hooksPath", "gitProxy"].map(
        (name): [string, string, string] => ["core", name, outside],
      ),
      ["core", "worktree", W],
      ["core", "bare", "true"],
      ...["editor", "pager", "sshCommand", "fsmonitor", "askPass"].map((name): [string, string, string] => [
        "core",
        name,
        COMMAND,
      ]),
      ["sequence", "editor", COMMAND],
      ["commit", "template", outside],
      ["commit", "gpgSign", "true"],
      ["gpg", "program", COMMAND],
      ["mailmap", "file", outside],
      ["mailmap", "blob", random.pick(this.#oids)],
      ["blame", "ignoreRevsFile", outside],
      ["notes", "displayRef", "refs/*"],
      ["diff", "orderFile", outside],
      ["diff", "external", COMMAND],
      ['diff "f"', "textconv", COMMAND],
      ['diff "f"', "command", COMMAND],
      ['merge "f"', "driver", COMMAND],
      ['filter "f"', random.pick(["clean", "smudge", "process"]), COMMAND],
      ['remote "o"', random.pick(["url", "pushurl"]), address],
      ['remote "o"', "fetch", "+refs/*:refs/heads/*"],
      ['remote "o"', random.pick(["uploadpack", "receivepack", "vcs"]), COMMAND],
      ['branch "main"', "remote", random.pick(["o", ".", address])],
      ['branch "main"', "merge", "refs/heads/main"],
      [`url "${address}"`, random.pick(["insteadOf", "pushInsteadOf"]), random.pick(this.#addresses)],
      ["credential", "helper", random.pick([`!${COMMAND}`, `store --file ${W}/.env`])],
      ["http", random.pick(["cookieFile", "sslCert", "sslKey", "proxy"]), random.pick([outside, address])],
      ["extensions", "worktreeConfig", "true"],
      ["init", "templateDir", W],
      ["uploadpack", "packObjectsHook", COMMAND],
      ["protocol", "allow", "always"],
      ["user", "name", "$(cat ../.env)"],
      ['submodule "s"', "url", address],
      ["fetch", "recurseSubmodules", "true"],
      ["push", "recurseSubmodules", "on-demand"],
    ]);
  }

  #todo(): string {
    const random = this.#random;
    const lines = random.list(1, 4, () => {
      const oid = random.pick(this.#oids);
      return random.pick([
        ...[
          `exec ${COMMAND}`,
          `x ${COMMAND}`,
          `pick ${oid}`,
          `p ${oid}`,
          `edit ${oid}`,
          `reword ${oid}`,
          `squash ${oid}`,
        ],
        ...[
          `fixup -C ${oid}`,
          `merge -C ${oid} side`,
          `merge ${oid}`,
          "label l",
          `reset ${oid}`,
          `update-ref ${random.pick(["refs/heads/evil", "refs/../../../.env"])}`,
        ],
        ...["break", "noop", "# comment", "drop HEAD", `revert ${oid}`],
      ]);
    });
    return `${lines.join("\n")}\n`;
  }
}
