/**
 * Builds a command's environment: the variables of a plain login, git settings that treat inode numbers and ctimes as local to this
 * disk, and the caller's variables. It inherits nothing from the daemon's environment.
 */
export interface Home {
  home: string;
  user: string;
}

const GIT: readonly (readonly [key: string, value: string])[] = [
  ["core.checkStat", "minimal"],
  ["core.trustctime", "false"],
  ["safe.directory", "*"],
];

export function commandEnvironment(
  { home, user }: Home,
  root: string,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: "dumb",
    WORKSPACE_ROOT: root,
    GIT_CONFIG_COUNT: String(GIT.length),
  };
  GIT.forEach(([key, value], i) => {
    environment[`GIT_CONFIG_KEY_${i}`] = key;
    environment[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return { ...environment, ...added };
}
