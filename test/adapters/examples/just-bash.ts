import type { Workspace } from "@cloudflare/workspace";
import { asJustBashFs } from "@cloudflare/workspace/adapters/just-bash";
import { Bash, defineCommand } from "just-bash/browser";

export async function countWords(workspace: Pick<Workspace, "fs">): Promise<string> {
  const shout = defineCommand("shout", async (args) => ({
    stdout: `${args.join(" ").toUpperCase()}\n`,
    stderr: "",
    exitCode: 0,
  }));
  const bash = new Bash({ fs: asJustBashFs(workspace.fs), cwd: "/workspace", customCommands: [shout] });
  await bash.exec('printf "one two\\nthree\\n" > words.txt');
  const { stdout } = await bash.exec("shout $(wc -w < words.txt) words");
  return stdout;
}
