/**
 * Fetches objects that a partial clone omitted on demand, from the promisor remote. Blobs are requested by id; a tree comes without
 * its blobs.
 */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { fetchObjects } from "./fetch-objects.ts";
import { openUpload } from "./open-connection.ts";
import { remoteConfig } from "./remote-config.ts";

export async function fetchPromised(repo: Repository, oids: readonly Oid[]): Promise<void> {
  const { config } = repo;
  const first = config.get("extensions.partialclone");
  const promising = config.subsections("remote").filter((name) => config.getBool(`remote.${name}.promisor`));
  const remotes = [...new Set([...(first === undefined ? [] : [first]), ...promising])];
  let failure: unknown;
  for (const name of remotes) {
    const { url } = remoteConfig(config, name);
    try {
      const connection = await openUpload({ ...repo, cwd: repo.workTree ?? repo.gitDir }, url);
      await fetchObjects(repo, connection, oids, { noHaves: true, filter: "blob:none", err: () => {} });
      return;
    } catch (error) {
      failure = error;
    }
  }
  if (failure === undefined) return;
  const why = failure instanceof Error ? failure.message : String(failure);
  throw new GitError("ENETWORK", `could not fetch ${oids[0]} from promisor remote: ${why}`, { cause: failure });
}
