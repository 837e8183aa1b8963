/**
 * Resolves the author or committer: flags, then the environment, then author.* or committer.*, user.*, then the host's default
 * identity. If none is set, git's "Please tell me who you are".
 */
import type { GitConfig } from "../config/git-config.ts";
import { localTime, zoneText } from "../date/local-time.ts";
import { parseDate } from "../date/parse-date.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import type { Signature } from "../object/signature.ts";

interface IdentityContext {
  readonly host: GitHost;
  readonly env: Readonly<Record<string, string>>;
  readonly config: Pick<GitConfig, "get" | "getBool">;
}

interface IdentityOptions {
  readonly name?: string;
  readonly email?: string;
  /** As `parseDate` takes it, or exact. */
  readonly date?: string | { readonly seconds: number; readonly zone: string };
  /** For reflogs: an empty name is not an error. */
  readonly lenient?: boolean;
}

export function authorIdentity(context: IdentityContext, options: IdentityOptions = {}): Signature {
  return identityOf(context, "author", options);
}

export function committerIdentity(context: IdentityContext, options: IdentityOptions = {}): Signature {
  return identityOf(context, "committer", options);
}

/** Returns the identity for reflog entries. */
export function reflogIdentity(context: IdentityContext): Signature {
  return identityOf(context, "committer", { lenient: true });
}

function identityOf(context: IdentityContext, role: "author" | "committer", options: IdentityOptions): Signature {
  const { env, config, host } = context;
  const upper = role.toUpperCase();
  const configured = (field: string) => config.get(`${role}.${field}`) || config.get(`user.${field}`);
  const configOnly = config.getBool("user.useconfigonly");
  const givenName = options.name ?? env[`GIT_${upper}_NAME`] ?? configured("name");
  const givenEmail =
    options.email ??
    env[`GIT_${upper}_EMAIL`] ??
    (configured("email") || undefined) ??
    ((!configOnly && env.EMAIL) || undefined);
  const byDefault = configOnly ? undefined : host.identity;
  const email = givenEmail ?? byDefault?.email;
  const name = givenName ?? byDefault?.name;
  if (!options.lenient) {
    if (email === undefined) throw unknownIdentity(context, role, "email");
    if (name === undefined) throw unknownIdentity(context, role, "name");
    const isConfigured = (options.name ?? env[`GIT_${upper}_NAME`]) === undefined;
    if (name === "" && isConfigured) throw identityError(whoAreYou(role), emptyName(email));
    checkName(name, email);
  }
  const date = options.date ?? env[`GIT_${upper}_DATE`];
  const when = identityDate(context, date);
  return { name: cleanText(name ?? "unknown"), email: cleanText(email ?? "unknown@localhost"), ...when };
}

function checkName(name: string, email: string): void {
  if (name === "") throw new GitError("EINVAL", emptyName(email));
  if (cleanText(name) === "") throw new GitError("EINVAL", `name consists only of disallowed characters: ${name}`);
}

function emptyName(email: string): string {
  return `empty ident name (for <${email}>) not allowed`;
}

function whoAreYou(role: string): string {
  return `${role === "author" ? "Author" : "Committer"} identity unknown\n${PLEASE}\n`;
}

const PLEASE = `
*** Please tell me who you are.

Run

  git config --global user.email "you@example.com"
  git config --global user.name "Your Name"

to set your account's default identity.
Omit --global to set the identity only in this repository.
`;

function unknownIdentity({ config }: IdentityContext, role: string, field: "email" | "name"): GitError {
  const who = whoAreYou(role);
  if (config.getBool("user.useconfigonly")) {
    return identityError(who, `no ${field} was given and auto-detection is disabled`);
  }
  const detected =
    field === "email"
      ? "unable to auto-detect email address (got 'root@localhost.(none)')"
      : "unable to auto-detect name (got '')";
  return identityError(who, detected);
}

/** The advice comes before the "fatal:" line. */
function identityError(advice: string, message: string): GitError {
  return new GitError("EINVAL", `${advice}fatal: ${message}`, { prefix: "" });
}

function identityDate(
  { host, env }: IdentityContext,
  date: string | { seconds: number; zone: string } | undefined,
): { seconds: number; zone: string } {
  const time = localTime(host, env);
  if (date === undefined || date === "") {
    const seconds = time.now();
    return { seconds, zone: zoneText(time.offset(seconds)) };
  }
  if (typeof date === "object") return date;
  const parsed = parseDate(date, time);
  if (!parsed) throw new GitError("EINVAL", `invalid date format: ${date}`);
  return { seconds: parsed.seconds, zone: zoneText(parsed.offset) };
}

/** Removes what would break the line: no "<", ">" or newline anywhere, no punctuation at the ends. */
function cleanText(text: string): string {
  return text
    .replace(/^[\x00-\x20.,:;<>"\\']+/, "")
    .replace(/(?<![\x00-\x20.,:;<>"\\'])[\x00-\x20.,:;<>"\\']+$/, "")
    .replace(/[\n<>]/g, "");
}
