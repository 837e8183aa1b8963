/**
 * Under a network policy with host names, the platform terminates TLS itself, with a certificate that it leaves in the container.
 * The first command that finds the certificate adds it to the system's store. Programs with a store of their own get it by
 * environment variable.
 */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { promisify } from "node:util";

const CERTIFICATE = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";
const ADDED = "/usr/local/share/ca-certificates/workspace-platform.crt";
const SYSTEM_BUNDLE = "/etc/ssl/certs/ca-certificates.crt";

let adding: Promise<unknown> | null = null;

/** Variables to add to a command's environment; empty where the platform does not intercept TLS. */
export async function platformCertificate(mayAdd: boolean): Promise<Record<string, string>> {
  if (!existsSync(CERTIFICATE)) return {};
  if (mayAdd) await (adding ??= add());
  return { NODE_EXTRA_CA_CERTS: CERTIFICATE, REQUESTS_CA_BUNDLE: SYSTEM_BUNDLE };
}

/** A command that needs the network reports its own failure; other commands should still run. */
async function add(): Promise<void> {
  try {
    copyFileSync(CERTIFICATE, ADDED);
    await promisify(execFile)("update-ca-certificates");
  } catch (error) {
    process.stderr.write(`the platform's certificate could not be added: ${(error as Error).message}\n`);
  }
}
