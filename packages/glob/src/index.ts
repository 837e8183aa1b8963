/**
 * Globs and ignore rules: Node's glob dialect, ripgrep's overrides and file types, git's ignore files. Pure functions of text
 * without imports, so that results are the same in a Durable Object, a container and a test.
 */
export { GlobError, type GlobErrorCode } from "./errors.ts";
export { compileTypes, fileTypes, globsForType, type TypeFilter, type TypeSelection } from "./file-types.ts";
export { type IgnoreRules, parseIgnore } from "./gitignore/ignore-rules.ts";
export { IGNORE_KINDS, type IgnoreKind, IgnoreStack, type IgnoreVerdict } from "./gitignore/ignore-stack.ts";
export type { IgnoreRule } from "./gitignore/parse-ignore.ts";
export { compileExclude, compileGlob, type Glob } from "./node-glob/compile-glob.ts";
export type { DirectoryGlob } from "./node-glob/directory-glob.ts";
export { hasMagic } from "./node-glob/has-magic.ts";
export { literalPrefix } from "./node-glob/literal-base.ts";
export {
  checkPathPolicy,
  compilePathPolicy,
  isInside,
  PATH_POLICY_LIMITS,
  type PathPolicy,
  type PathRefusal,
  type PathRules,
  type PathVisibility,
} from "./path-policy.ts";
export {
  compileOverrides,
  type Override,
  type OverrideDecision,
  type OverrideOptions,
  type Overrides,
} from "./rg-glob/compile-overrides.ts";
