/** Appends the fetched heads to FETCH_HEAD, the ones to merge first. */
import type { Repository } from "../../repository.ts";
import type { RefMapping } from "../../wire/fetch-map.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";
import { anonymousUrl } from "../../wire/remote-url.ts";

export async function writeFetchHead(
  repo: Repository,
  remote: RemoteConfig,
  refs: readonly RefMapping[],
): Promise<void> {
  const url = shortUrl(anonymousUrl(remote.url));
  const line = ({ oid, merge, source }: RefMapping) =>
    `${oid}\t${merge ? "" : "not-for-merge"}\t${noteFor(source, url)}\n`;
  const listed = refs.filter(({ opportunistic }) => !opportunistic);
  const text = [...listed.filter(({ merge }) => merge), ...listed.filter(({ merge }) => !merge)].map(line).join("");
  await repo.fs.appendFile(`${repo.gitDir}/FETCH_HEAD`, text);
}

function noteFor(source: string, url: string): string {
  if (source === "HEAD") return url;
  const kinds = [
    ["refs/heads/", "branch "],
    ["refs/tags/", "tag "],
    ["refs/remotes/", "remote-tracking branch "],
  ] as const;
  for (const [prefix, kind] of kinds)
    if (source.startsWith(prefix)) return `${kind}'${source.slice(prefix.length)}' of ${url}`;
  return `'${source}' of ${url}`;
}

/** The URL as displayed: without trailing slashes and ".git". */
export function shortUrl(url: string): string {
  const bare = url.replace(/(?<!\/)\/+$/, () => "");
  return bare.length > 4 && bare.endsWith(".git") ? bare.slice(0, -4) : bare;
}
