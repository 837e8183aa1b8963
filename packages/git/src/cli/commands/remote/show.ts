/** `remote show -n`: what is known here of a remote. */
import { GitError } from "../../../errors.ts";
import type { Repository } from "../../../repository.ts";
import type { CommandContext } from "../../command.ts";
import { pushUrls, urlsOf } from "./urls.ts";

export async function showRemote(context: CommandContext, repo: Repository, argv: readonly string[]): Promise<number> {
  if (!argv.includes("-n")) {
    throw new GitError("EUNSUPPORTED", "only 'git remote show -n' is supported here");
  }
  for (const name of argv.filter((word) => word !== "-n" && word !== "--")) await showOne(context, repo, name);
  return 0;
}

async function showOne({ out }: CommandContext, repo: Repository, name: string): Promise<void> {
  const { config } = repo;
  out(`* remote ${name}\n`);
  out(`  Fetch URL: ${urlsOf(repo, name)[0] ?? name}\n`);
  for (const url of pushUrls(repo, name).length > 0 ? pushUrls(repo, name) : ["(no URL)"]) out(`  Push  URL: ${url}\n`);
  out("  HEAD branch: (not queried)\n");
  const tracked = (await repo.refs.list(`refs/remotes/${name}/`))
    .filter(({ target }) => target === undefined)
    .map((ref) => ref.name.slice(`refs/remotes/${name}/`.length));
  if (tracked.length > 0) {
    out(`  Remote branch${tracked.length > 1 ? "es" : ""}: (status not queried)\n`);
    for (const branch of tracked) out(`    ${branch}\n`);
  }
  const pulls = config
    .subsections("branch")
    .filter(
      (branch) => config.get(`branch.${branch}.remote`) === name && config.get(`branch.${branch}.merge`) !== undefined,
    )
    .sort();
  if (pulls.length > 0) {
    out(`  Local branch${pulls.length > 1 ? "es" : ""} configured for 'git pull':\n`);
    const width = Math.max(...pulls.map((branch) => branch.length));
    for (const branch of pulls) {
      const merge = (config.get(`branch.${branch}.merge`) as string).replace(/^refs\/heads\//, "");
      const rebase = config.get(`branch.${branch}.rebase`);
      const how = rebase && rebase !== "false" ? "rebases onto remote" : " merges with remote";
      const anyRebase = pulls.some((one) => (config.get(`branch.${one}.rebase`) ?? "false") !== "false");
      out(`    ${branch.padEnd(width)} ${anyRebase ? how : how.trimStart()} ${merge}\n`);
    }
  }
  out("  Local ref configured for 'git push' (status not queried):\n    (matching) pushes to (matching)\n");
}
