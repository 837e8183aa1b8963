/**
 * Path policies: decides which paths a principal may see and change. It is the only implementation, for the file system's
 * restricted views and for the agent tools. A glob without a slash matches a name at any depth, and a matching directory covers
 * everything below it, as in ripgrep's `-g`.
 */
import { compileOverrides, type Overrides } from "./rg-glob/compile-overrides.ts";

export interface PathPolicy {
  /** The only directory that is visible, absolute and without links; default: everything. */
  root?: string;
  /** Globs of paths that do not exist for the principal. With any of them, every `.git` is hidden: it contains past contents. */
  deny?: readonly string[];
  /** Globs of the only paths that may be changed. */
  writable?: readonly string[];
  /** Nothing may be changed. */
  readOnly?: boolean;
}

/** Why a path cannot be changed. */
export type PathRefusal = "OUTSIDE_ROOT" | "DENIED" | "NOT_WRITABLE";

/** "above": a directory on the way to the root, of which only the next name is visible. */
export type PathVisibility = "visible" | "above" | "outside" | "denied";

export interface PathRules {
  readonly hasDenials: boolean;
  /** Some paths are not visible. */
  readonly hides: boolean;
  /** Some paths cannot be changed. */
  readonly limitsWrites: boolean;
  /** The innermost visible directory, if the policy names one. */
  readonly root: string | undefined;
  /** Of an absolute path without links. */
  visibility(path: string): PathVisibility;
  /** Null: the path may be changed. */
  refusal(path: string): PathRefusal | null;
}

export const PATH_POLICY_LIMITS = { globs: 1000, globLength: 1000, rootLength: 4096, depth: 16 } as const;

/** All of the policies apply. `base`: the base of globs if a policy names no root; paths elsewhere are relative to `/`. */
export function compilePathPolicy(policies: readonly PathPolicy[], base: string): PathRules {
  const all = policies.map((policy) => compileOne(policy, base));
  const root = all.reduce<string | undefined>((inner, one) => {
    if (one.root === undefined) return inner;
    return inner === undefined || isInside(one.root, inner) ? one.root : inner;
  }, undefined);
  return {
    root,
    hasDenials: all.some((one) => one.hasDenials),
    hides: all.some((one) => one.hides),
    limitsWrites: all.some((one) => one.limitsWrites),
    visibility(path) {
      let found: PathVisibility = "visible";
      for (const one of all) {
        const here = one.visibility(path);
        if (here === "denied" || here === "outside") return here;
        if (here === "above") found = here;
      }
      return found;
    },
    refusal(path) {
      for (const one of all) {
        const refused = one.refusal(path);
        if (refused !== null) return refused;
      }
      return null;
    },
  };
}

function compileOne({ root: given, deny = [], writable, readOnly = false }: PathPolicy, base: string): PathRules {
  const root = given === undefined || given === "/" ? undefined : given;
  const denied = deny.length === 0 ? null : compileOverrides(deny);
  const open = writable === undefined ? null : compileOverrides(writable);
  const start = given ?? base;
  const denies = (path: string) => {
    if (denied === null) return false;
    return covers(denied, relativeTo(path, start)) || /(?:^|\/)\.git(?:\/|$)/.test(path);
  };
  const visibility = (path: string): PathVisibility => {
    if (root !== undefined && !isInside(path, root)) return isInside(root, path) ? "above" : "outside";
    return denies(path) ? "denied" : "visible";
  };
  return {
    root,
    hasDenials: denied !== null,
    hides: denied !== null || root !== undefined,
    limitsWrites: open !== null || readOnly,
    visibility,
    refusal(path) {
      const seen = visibility(path);
      if (seen === "denied") return "DENIED";
      if (seen !== "visible") return "OUTSIDE_ROOT";
      if (readOnly || (open !== null && !covers(open, relativeTo(path, start)))) return "NOT_WRITABLE";
      return null;
    },
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

function relativeTo(path: string, start: string): string {
  if (start === "/" || !isInside(path, start)) return path.slice(1);
  return path.slice(start.length + 1);
}

export function isInside(path: string, root: string): boolean {
  return path === root || root === "/" || path.startsWith(`${root}/`);
}

/** Rebuilds a policy from an untrusted value; throws a `TypeError`, or the `GlobError` of a glob. */
export function checkPathPolicy(given: unknown): PathPolicy {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError("a policy is an object with root, deny, writable and readOnly");
  const { root, deny, writable, readOnly, ...others } = given as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`a policy has no field ${JSON.stringify(unknown.slice(0, 100))}`);
  if (readOnly !== undefined && typeof readOnly !== "boolean") throw new TypeError("readOnly must be a boolean");
  const checked: PathPolicy = {
    ...(root === undefined ? {} : { root: checkRoot(root) }),
    ...(deny === undefined ? {} : { deny: checkGlobs(deny, "deny") }),
    ...(writable === undefined ? {} : { writable: checkGlobs(writable, "writable") }),
    ...(readOnly === undefined ? {} : { readOnly }),
  };
  compilePathPolicy([checked], "/");
  return checked;
}

function checkRoot(root: unknown): string {
  const isPath =
    typeof root === "string" &&
    root.length <= PATH_POLICY_LIMITS.rootLength &&
    root.isWellFormed() &&
    !root.includes("\0") &&
    root.startsWith("/") &&
    (root === "/" ||
      root
        .slice(1)
        .split("/")
        .every((part) => part !== "" && part !== "." && part !== ".."));
  if (!isPath) throw new TypeError('root must be an absolute path without "." and ".."');
  return root;
}

function checkGlobs(globs: unknown, field: string): readonly string[] {
  const { globs: count, globLength } = PATH_POLICY_LIMITS;
  if (!Array.isArray(globs) || globs.length > count || !globs.every((glob) => typeof glob === "string"))
    throw new TypeError(`${field} must be a list of at most ${count} globs`);
  const wrong = globs.find((glob: string) => glob === "" || glob.length > globLength || !glob.isWellFormed());
  if (wrong !== undefined) throw new TypeError(`a glob of ${field} has 1 to ${globLength} characters`);
  return [...(globs as string[])];
}
