/** Maps a branch named alone to its configured target: `remote.*.push`, or its upstream if push.default says so. */

import type { Repository } from "../../repository.ts";
import { mapName } from "../../wire/refspec.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";
import { matchesOf } from "./match-push-refs.ts";

export async function mappedRefspecs(
  repo: Repository,
  remote: RemoteConfig,
  texts: readonly string[],
): Promise<string[]> {
  const names = (await repo.refs.list("refs/")).map(({ name }) => name);
  const follows = repo.config.get("push.default") === "upstream" || repo.config.get("push.default") === "tracking";
  return texts.map((text) => {
    const [name, ...others] = text.includes(":") ? [] : matchesOf(text, names);
    if (name === undefined || others.length > 0) return text;
    const to = mapName(remote.push, name);
    if (to !== null) return `${to.force ? "+" : ""}${name}:${to.name}`;
    const branch = follows && name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : "";
    const isFollowing = repo.config.get(`branch.${branch}.remote`) !== undefined;
    const [upstream, ...more] = isFollowing ? repo.config.getAll(`branch.${branch}.merge`) : [];
    return upstream === undefined || more.length > 0 ? text : `${text}:${upstream}`;
  });
}
