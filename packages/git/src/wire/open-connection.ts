/** Connects to a remote by its address. */
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import type { ReceiveConnection, UploadConnection } from "./connection.ts";
import { connectReceive } from "./http-receive.ts";
import { HttpRemote } from "./http-remote.ts";
import { connectUpload } from "./http-upload.ts";
import { connectLocalReceive } from "./local-receive.ts";
import { openLocal } from "./local-repository.ts";
import { connectLocalUpload } from "./local-upload.ts";
import { checkCredentialsInUrl, parseRemoteUrl } from "./remote-url.ts";

type ConnectingRepository = Pick<Repository, "host" | "config" | "limits" | "env"> & { readonly cwd: string };

/** `print` receives lines for the user: a redirect, a server's error text. */
export async function openUpload(
  repo: ConnectingRepository,
  url: string,
  print?: (text: string) => void,
): Promise<UploadConnection> {
  checkCredentialsInUrl(repo.config, url, print);
  const parsed = parseRemoteUrl(url, repo.cwd);
  if (parsed.kind === "file") return connectLocalUpload(await needLocal(repo, parsed.path, url), print);
  return connectUpload(
    new HttpRemote(repo.host, parsed, repo.limits, print),
    protocolVersion(repo),
    repo.limits,
    print,
  );
}

export async function openReceive(
  repo: ConnectingRepository,
  url: string,
  print?: (text: string) => void,
): Promise<ReceiveConnection> {
  checkCredentialsInUrl(repo.config, url, print);
  const parsed = parseRemoteUrl(url, repo.cwd);
  if (parsed.kind === "file") return connectLocalReceive(await needLocal(repo, parsed.path, url));
  return connectReceive(new HttpRemote(repo.host, parsed, repo.limits, print), repo.limits);
}

async function needLocal({ host, env }: ConnectingRepository, path: string, url: string): Promise<Repository> {
  const found = await openLocal(host, path, env);
  if (found !== null) return found;
  throw new GitError("ENOTFOUND", `'${url}' does not appear to be a git repository`, {
    hint: "fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n",
  });
}

function protocolVersion({ config }: Pick<Repository, "config">): 0 | 1 | 2 {
  const requested = config.get("protocol.version") ?? "2";
  if (requested === "0" || requested === "1" || requested === "2") return Number(requested) as 0 | 1 | 2;
  throw new GitError("EINVAL", `unknown value for config 'protocol.version': ${requested}`);
}
