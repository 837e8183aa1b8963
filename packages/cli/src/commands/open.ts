/** `wsx open`: opens the studio in a browser. */
import { ROOT, remotePath, shownPath } from "../client/remote-path.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { print } from "../format/print.ts";

export const open = defineCommand({
  name: "open",
  summary: "Open the studio in a browser",
  flags: {
    print: { long: "--print", short: "-p", value: "none", help: "Only print the URL" },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true }],
  examples: ["wsx open", "wsx open src/app.ts", "wsx open --print"],
  async run(context, { flags, operands: [given] }) {
    const { url, workspace } = context.settings;
    const path = given === undefined ? ROOT : remotePath(given);
    const names = path === ROOT ? [] : shownPath(path).split("/").map(encodeURIComponent);
    const address = `${url}/#/${["w", workspace, "files", ...names].join("/")}`;
    await print(context, { url: address }, () => `${address}\n`);
    if (flags.print || context.json) return 0;
    return (await context.io.foreground([...opener(context.io), address])) === 0 ? 0 : 1;
  },
});

function opener({ env }: CommandContext["io"]): string[] {
  if (env.BROWSER) return [env.BROWSER];
  if (process.platform === "darwin") return ["open"];
  return process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}
