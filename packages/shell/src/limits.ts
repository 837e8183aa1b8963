/** Every limit of the shell, by name. Reaching one is reported, in the result or as an error. */
export const shellLimits = {
  /** stdout and stderr of a result together: half from the beginning, half from the end. */
  keptBytes: 1024 * 1024,
  /** Output beyond this goes to a file that agents can read and grep. */
  spoolFrom: 16 * 1024,
  /** The maximum size of such a file, and of all of them together: the oldest are deleted first. */
  spoolBytes: 64 * 1024 * 1024,
  allSpoolBytes: 512 * 1024 * 1024,
  /** Output is made durable in pages of about this size, and at least this often while a command runs. */
  pageBytes: 256 * 1024,
  pageDelayMs: 1_000,
  /** Finished executions that are recorded; the oldest are deleted first. */
  records: 1_000,
  /** Concurrent executions of one workspace. */
  running: 64,
  commandLength: 1024 * 1024,
  argvItems: 10_000,
  environmentItems: 1_000,
  /** Standard input of the Worker's shell, which reads all of it before it starts. */
  stdinBytes: 16 * 1024 * 1024,
  /** The longest timeout: a timer's own limit. */
  timeoutMs: 2 ** 31 - 1,
  /** Changed paths that a result lists. */
  changedPaths: 1_000,
  /** Time between SIGTERM and SIGKILL when a caller's signal is aborted. */
  graceMs: 2_000,
  /** Attempts to reattach to a process whose events broke off, and the pause after the first; it doubles. */
  attachAttempts: 4,
  attachPauseMs: 100,
} as const;

export type ShellLimits = { readonly [Name in keyof typeof shellLimits]: number };
