/**
 * Options between `git` and the command. Those that only set a variable for the command set it here too, so that the rest of the
 * engine reads the environment, as git's own parts do.
 */
import { GitError } from "../../errors.ts";
import type { OpenOptions } from "../../repository.ts";
import { GIT_USAGE } from "./help-text.ts";

export interface GlobalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly open: Omit<OpenOptions, "cwd" | "env">;
  /** The command and its arguments; empty: there is only `answer` to print. */
  readonly rest: readonly string[];
  /** Output of `--exec-path` and the like, which run no command. */
  readonly answer?: string;
}

interface GlobalOptionArgs {
  cwd: string;
  env: Record<string, string>;
  open: { gitDir?: string; workTree?: string; config: { key: string; value: string | null }[] };
  answer?: string;
}

const VARIABLES: Readonly<Record<string, readonly [name: string, value: string]>> = {
  "--no-replace-objects": ["GIT_NO_REPLACE_OBJECTS", "1"],
  "--no-optional-locks": ["GIT_OPTIONAL_LOCKS", "0"],
  "--literal-pathspecs": ["GIT_LITERAL_PATHSPECS", "1"],
  "--no-literal-pathspecs": ["GIT_LITERAL_PATHSPECS", "0"],
  "--glob-pathspecs": ["GIT_GLOB_PATHSPECS", "1"],
  "--noglob-pathspecs": ["GIT_NOGLOB_PATHSPECS", "1"],
  "--icase-pathspecs": ["GIT_ICASE_PATHSPECS", "1"],
};
/** There is no pager. */
const IGNORED = new Set(["-p", "--paginate", "-P", "--no-pager"]);
const PATHS: Readonly<Record<string, string>> = {
  "--exec-path": "/usr/lib/git-core",
  "--html-path": "/usr/share/doc/git",
  "--man-path": "/usr/share/man",
  "--info-path": "/usr/share/info",
};

export function parseGlobalOptions(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): GlobalOptions {
  const input: GlobalOptionArgs = { cwd, env: { ...env }, open: { config: [] } };
  let at = 0;
  const following = (missing: string): string => {
    const value = argv[at++];
    if (value === undefined) throw usage(missing);
    return value;
  };
  while (at < argv.length && (argv[at] as string).startsWith("-")) {
    const option = argv[at++] as string;
    const name = option.startsWith("--") ? (option.split("=", 1)[0] as string) : option;
    const value = name === option ? undefined : option.slice(name.length + 1);
    if (["-h", "--help", "-v", "--version"].includes(option)) {
      const word = option === "-v" || option === "--version" ? "version" : "help";
      return { ...input, rest: [word, ...argv.slice(at)] };
    }
    if (IGNORED.has(option)) continue;
    const variable = VARIABLES[option];
    if (variable !== undefined) input.env[variable[0]] = variable[1];
    else if (option === "-C") changeDirectory(input, following("no directory given for '-C' option"));
    else if (option === "-c") addConfig(input, following("-c expects a configuration string"));
    else if (name === "--config-env") addConfigEnv(input, value ?? following("no config key given for --config-env"));
    else if (name === "--git-dir") input.open.gitDir = value ?? following("no directory given for '--git-dir' option");
    else if (name === "--work-tree")
      input.open.workTree = value ?? following("no directory given for '--work-tree' option");
    else if (name === "--namespace") {
      value ?? following("no namespace given for --namespace");
      throw new GitError("EUNSUPPORTED", "ref namespaces are not supported here");
    } else if (option === "--bare") makeBare(input);
    else if (name in PATHS && (value === undefined || name === "--exec-path")) {
      if (value === undefined) return { ...input, rest: [], answer: `${PATHS[name]}\n` };
    } else throw usage(`unknown option: ${option}`);
  }
  return { ...input, rest: argv.slice(at) };
}

function usage(message: string): GitError {
  return new GitError("EUSAGE", message, { prefix: "", hint: `${GIT_USAGE}\n` });
}

/** The command checks at its start whether the directory exists. */
function changeDirectory(input: GlobalOptionArgs, path: string): void {
  if (path === "") return;
  input.cwd = path.startsWith("/") ? path : `${input.cwd === "/" ? "" : input.cwd}/${path}`;
}

function makeBare(input: GlobalOptionArgs): void {
  input.open.config.push({ key: "core.bare", value: "true" });
  input.env.GIT_DIR ??= input.cwd;
  input.env.GIT_IMPLICIT_WORK_TREE = "0";
}

function addConfig(input: GlobalOptionArgs, text: string): void {
  const equals = text.indexOf("=");
  const key = equals < 0 ? text : text.slice(0, equals);
  input.open.config.push({ key, value: equals < 0 ? null : text.slice(equals + 1) });
}

function addConfigEnv(input: GlobalOptionArgs, text: string): void {
  const equals = text.lastIndexOf("=");
  if (equals < 0) throw new GitError("EINVAL", `invalid config format: ${text}`);
  const [key, name] = [text.slice(0, equals), text.slice(equals + 1)];
  if (name === "") throw new GitError("EINVAL", `missing environment variable name for configuration '${key}'`);
  const value = input.env[name];
  if (value === undefined)
    throw new GitError("EINVAL", `missing environment variable '${name}' for configuration '${key}'`);
  input.open.config.push({ key, value });
}
