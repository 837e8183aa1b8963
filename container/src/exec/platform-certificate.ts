/**
 * Where a network policy names hosts, the platform ends their TLS connections itself, under a certificate that it leaves in the container
 * for whoever should trust it. Commands should: it is added to the system's store once, when the first command finds it there, and
 * named to those that have a store of their own.
 */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { promisify } from "node:util";

const CERTIFICATE = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";
const ADDED = "/usr/local/share/ca-certificates/workspace-platform.crt";
const SYSTEM_BUNDLE = "/etc/ssl/certs/ca-certificates.crt";

let adding: Promise<unknown> | null = null;

/** What to add to a command's environment; nothing where the platform does not come between. */
export async function platformCertificate(mayAdd: boolean): Promise<Record<string, string>> {
  if (!existsSync(CERTIFICATE)) return {};
  if (mayAdd) await (adding ??= add());
  return { NODE_EXTRA_CA_CERTS: CERTIFICATE, REQUESTS_CA_BUNDLE: SYSTEM_BUNDLE };
}

/** A command that needs the network says so when it fails; one that does not should run all the same. */
async function add(): Promise<void> {
  try {
    copyFileSync(CERTIFICATE, ADDED);
    await promisify(execFile)("update-ca-certificates");
  } catch (error) {
    process.stderr.write(`the platform's certificate could not be added: ${(error as Error).message}\n`);
  }
}
