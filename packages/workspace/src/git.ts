/** `@cloudflare/workspace/git`: the git engine alone, for `@cloudflare/workspace/core` and for other file systems. */
export type {
  CliCall,
  CliResult,
  Credential,
  CredentialSource,
  Git,
  GitCall,
  GitErrorCode,
  GitHost,
  GitLimits,
  GitOptions,
  RepositoryLocks,
} from "@workspace/git";
export { createGit, defaultGitLimits, GitError } from "@workspace/git";
