/** Every bound of the shell, by name. Reaching one is reported, in the result or as an error, never silent. */
export const shellLimits = {
  /** What a result holds of stdout and stderr together: half from the beginning, half from the end. */
  keptBytes: 1024 * 1024,
  /** Output beyond this goes to a file that agents can read and grep. */
  spoolFrom: 16 * 1024,
  /** The longest such file, and all of them together: the oldest go first. */
  spoolBytes: 64 * 1024 * 1024,
  allSpoolBytes: 512 * 1024 * 1024,
  /** Output is made durable in pages of about this size, and at least so often while a command runs. */
  pageBytes: 256 * 1024,
  pageDelayMs: 1_000,
  /** Finished executions that are remembered; the oldest go first. */
  records: 1_000,
  /** At once in one workspace. */
  running: 64,
  commandLength: 1024 * 1024,
  argvItems: 10_000,
  environmentItems: 1_000,
  /** Standard input that the Worker's shell takes, all of it before it starts. */
  stdinBytes: 16 * 1024 * 1024,
  /** The longest timeout: a timer's own limit. */
  timeoutMs: 2 ** 31 - 1,
  /** Paths that a result names as changed. */
  changedPaths: 1_000,
  /** Between SIGTERM and SIGKILL when a caller's signal is aborted. */
  graceMs: 2_000,
  /** Attempts to find a process again whose events broke off, and the pause after the first; it doubles. */
  attachAttempts: 4,
  attachPauseMs: 100,
} as const;

export type ShellLimits = { readonly [Name in keyof typeof shellLimits]: number };
