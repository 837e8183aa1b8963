/** What the real bash and ours are asked: the same files, one script after the other, each on files of its own. */
export interface ShellQuestion {
  files: Readonly<Record<string, string>>;
  scripts: readonly string[];
}

export interface ShellAnswer {
  exitCode: number;
  /** Base64: it may be any bytes. Where the script ran stands as ROOT. */
  stdout: string;
  stderr: string;
}
