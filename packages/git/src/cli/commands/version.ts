/** `git version`. Prints the version of git whose behavior this implements. */
import { defineCommand } from "../framework/command.ts";

const GIT_VERSION = "2.39.5";

export const version = defineCommand({
  name: "version",
  usage: ["git version [--build-options]"],
  flags: {
    buildOptions: { long: "--build-options", help: "also print build options" },
  },
  async run(context, { flags }) {
    context.out(`git version ${GIT_VERSION}\n`);
    if (flags.buildOptions) context.out("cpu: none\nno commit associated with this build\n");
    return 0;
  },
});
