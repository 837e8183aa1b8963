/**
 * What the host forbids: `deny` globs are as if not there, `writable` globs are all that may be changed. A glob without a slash
 * matches a name at any depth, and a directory that matches takes everything under it along, as in ripgrep's `-g`.
 */
import { compileOverrides, type Overrides } from "@workspace/glob";

export interface AccessRules {
  readonly hasDenials: boolean;
  /** Not everything may be changed. */
  readonly hasWritable: boolean;
  /** `path` is relative to the root, "" for the root itself. */
  denies(path: string): boolean;
  allowsWrite(path: string): boolean;
}

export function compileAccessRules(deny: readonly string[], writable: readonly string[] | undefined): AccessRules {
  const denied = deny.length === 0 ? null : compileOverrides(deny);
  const open = writable === undefined ? null : compileOverrides(writable);
  return {
    hasDenials: denied !== null,
    hasWritable: open !== null,
    denies: (path) => denied !== null && covers(denied, path),
    allowsWrite: (path) => open === null || covers(open, path),
  };
}

/** The path itself, as a file or a directory, or any directory above it. */
function covers(rules: Overrides, path: string): boolean {
  if (path === "") return false;
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    if (rules.decide(path.slice(0, end), true) === "include") return true;
  }
  return rules.decide(path, false) === "include" || rules.decide(path, true) === "include";
}

/** For hosts that want the usual secrets out of reach. */
export const SECRET_FILES: readonly string[] = [
  ".env",
  ".env.*",
  "!.env.example",
  ".dev.vars",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "id_rsa",
  "id_ecdsa",
  "id_ed25519",
  ".npmrc",
  ".netrc",
  ".git-credentials",
  ".aws/",
  ".ssh/",
];
