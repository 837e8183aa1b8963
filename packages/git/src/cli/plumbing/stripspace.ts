/** `git stripspace`, which works without a repository. */
import { commentLines, stripSpace } from "../../message/strip-space.ts";
import { defineCommand } from "../framework/command.ts";

export const stripspace = defineCommand({
  name: "stripspace",
  usage: ["git stripspace [-s | --strip-comments]", "git stripspace [-c | --comment-lines]"],
  flags: {
    strip: {
      long: "--strip-comments",
      short: "-s",

      help: "skip and remove all lines starting with comment character",
      noNegation: true,
    },
    comment: {
      long: "--comment-lines",
      short: "-c",

      help: "prepend comment character and space to each line",
      noNegation: true,
    },
  },
  async run(context, { flags }) {
    const config = await context.repository().then(
      (repo) => repo.config,
      () => null,
    );
    const configured = config?.get("core.commentchar");
    const comment = configured === undefined || configured.length !== 1 ? "#" : configured;
    const text = await context.stdin.text();
    if (flags.comment) context.out(commentLines(text, comment));
    else context.out(stripSpace(text, flags.strip ? { comment } : {}));
    return 0;
  },
});
