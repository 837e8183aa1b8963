/** Options of well-known programs whose value is a secret although their name does not indicate it. */
export type OptionSecret =
  /** The next word, or the rest of the same word. */
  | "value"
  /** The same, as `user:password`. */
  | "user"
  /** The same, as `name=value`; else it is a file. */
  | "cookie"
  /** The same, as `name=value`, where the name stays. */
  | "assignment";

const value = (...names: string[]) => names.map((name): [string, OptionSecret] => [name, "value"]);
const user = (...names: string[]) => names.map((name): [string, OptionSecret] => [name, "user"]);
const options = (...lists: [string, OptionSecret][][]) => new Map(lists.flat());

const MYSQL = options(value("-p"));
const HTTP = options(user("-u", "--user", "-U", "--proxy-user", "-a", "--auth"), value("--pass"));
const CURL = options(
  [...HTTP],
  [
    ["-b", "cookie"],
    ["--cookie", "cookie"],
  ],
  // A certificate and its password.
  user("-E", "--cert", "--proxy-cert"),
);
const PROGRAMS: ReadonlyMap<string, ReadonlyMap<string, OptionSecret>> = new Map([
  ...["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlsh", "mariadb", "mariadb-dump"].map(
    (name) => [name, MYSQL] as const,
  ),
  ...["curl", "curlie"].map((name) => [name, CURL] as const),
  ...["wget", "http", "https", "xh", "xhs"].map((name) => [name, HTTP] as const),
  ...["sshpass", "mongo", "mongosh", "mongodump", "mongorestore", "sqlplus"].map((name) => [name, MYSQL] as const),
  ...["docker", "podman", "nerdctl", "helm", "oc", "crane", "az", "nuget"].map(
    (name) => [name, options(value("-p"))] as const,
  ),
  ["redis-cli", options(value("-a", "--pass"))],
  ["ldapsearch", options(value("-w"))],
  ["ldapmodify", options(value("-w"))],
  ["zip", options(value("-P"))],
  ["unzip", options(value("-P"))],
  ["7z", options(value("-p"))],
  ["7za", options(value("-p"))],
  ["openssl", options(value("-passin", "-passout", "-pass", "-k", "-K"))],
  ["ab", options(user("-A", "-P"))],
  ["ftp", options(user("-u"))],
  ["lftp", options(user("-u"))],
  ["smbclient", options(user("-U"))],
  ["rpcclient", options(user("-U"))],
  ["sqlcmd", options(value("-P"))],
  ["bcp", options(value("-P"))],
  ["ipmitool", options(value("-P"))],
  ["snmpwalk", options(value("-c", "-A", "-X"))],
  ["keytool", options(value("-storepass", "-keypass"))],
  ["wsx", options(value("-t"))],
  ["vercel", options(value("-t"))],
  ["doctl", options(value("-t"))],
  ["twine", options(value("-p"))],
  ["useradd", options(value("-p"))],
  ["usermod", options(value("-p"))],
  ["ssh-keygen", options(value("-N", "-P"))],
  ["rar", options(value("-hp", "-p"))],
  ["unrar", options(value("-p"))],
  ["netlify", options(value("--auth"))],
  ["kubectl", options([["--from-literal", "assignment"]])],
]);

/** `-p` of these is a port, a prompt or a flag, except when they log in. */
const ONLY_LOGIN = new Set(["docker", "podman", "nerdctl", "helm", "oc", "crane", "az"]);

/** `-u` of these is a user and a group, or a flag. */
const NOT_PASSWORDS = new Set([
  "docker",
  "podman",
  "nerdctl",
  "sudo",
  "chroot",
  "setpriv",
  "install",
  "kubectl",
  "rsync",
]);

/** Options that are secrets of one subcommand alone. */
const SUBCOMMANDS: readonly [RegExp, ReadonlyMap<string, OptionSecret>][] = [
  [/^gh secret set\b/, options(value("-b", "--body"))],
  [/^dotnet nuget push\b/, options(value("-k"))],
];

/** `words` are those before the option, starting with the program. */
export function optionSecret(words: readonly string[], option: string): OptionSecret | undefined {
  const [program = ""] = words;
  if (ONLY_LOGIN.has(program) && !words.includes("login")) return undefined;
  if (option === "-u" && !PROGRAMS.has(program)) return NOT_PASSWORDS.has(program) ? undefined : "user";
  const line = words.join(" ");
  const sub = SUBCOMMANDS.find(([command]) => command.test(line))?.[1].get(option);
  return sub ?? PROGRAMS.get(program)?.get(option);
}
