/** The environment of a command: a few harmless names, and those that the host adds. Nothing of a Worker's bindings. */
const ALLOWED = /^(PATH|HOME|LANG|LC_[A-Z]+|TERM|TZ|TMPDIR)$/;

export function filterEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(source))
    if (value !== undefined && ALLOWED.test(name)) result[name] = value;
  return { ...result, ...added };
}
