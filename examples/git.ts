import { Workspace } from "@cloudflare/workspace";

/** Typed methods return data; `cli` takes an argv and answers as git does. */
export async function commitChange({ fs, git }: Workspace): Promise<string> {
  const cwd = "/workspace/project";
  await fs.mkdir(cwd, { recursive: true });
  await git.init({ cwd, initialBranch: "main" });
  await fs.writeFile(`${cwd}/README.md`, "# Project\n");
  await git.add({ cwd, all: true });
  await git.commit({ cwd, message: "Add a README" });
  const { branch, clean } = await git.status({ cwd });
  const { exitCode, stdout } = await git.cli({ cwd, argv: ["show", "--stat", "--format=%s", "HEAD"] });
  return `${branch} ${clean} ${exitCode}\n${new TextDecoder().decode(stdout)}`;
}

/** What differs, without a line of text to parse. */
export async function reviewChanges({ git }: Workspace, cwd: string): Promise<string[]> {
  const { operation, entries } = await git.status({ cwd });
  if (operation !== null) return [`a ${operation} is in progress`];
  const staged = entries.filter(({ index }) => index !== "." && index !== "?");
  const { files } = await git.diff({ cwd, from: "HEAD", noPatch: true });
  const counts = files.map(({ path, status, added, deleted }) => `${status} ${path} +${added ?? 0} -${deleted ?? 0}`);
  const [last] = await git.log({ cwd, maxCount: 1 });
  return [`${staged.length} staged since ${last?.oid.slice(0, 7)} ${last?.subject}`, ...counts];
}

/** Credentials are asked for by origin when a remote wants them, and are written nowhere. */
export function withCredentials(storage: DurableObjectStorage, tokens: Record<string, string>): Workspace {
  return new Workspace({
    storage,
    gitSettings: {
      credentials: ({ origin }) => {
        const password = tokens[origin];
        return password === undefined ? null : { username: "x-access-token", password };
      },
    },
  });
}
