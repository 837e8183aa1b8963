/**
 * Redacts secrets in URLs: `scheme://user:password@host`, a token in place of a user, and URLs that are secrets by themselves
 * (webhooks).
 */
import { REDACTED } from "./redacted.ts";

export function redactAddresses(text: string): string {
  if (!text.includes(":")) return text;
  return text
    .replace(ADDRESS, (whole, scheme = "", user: string) =>
      isPlainUser(scheme, user) ? whole : `${scheme}://${REDACTED}@`,
    )
    .replace(ODD_ADDRESS, (_, scheme = "") => `${scheme}://${REDACTED}@`)
    .replace(ORACLE, (_, start: string) => `${start}${REDACTED}@`)
    .replace(WEBHOOK, (_, start: string) => `${start}${REDACTED}`)
    .replace(PGPASS, (_, start: string) => `${start}${REDACTED}`);
}

const ADDRESS = /([a-z][a-z0-9+.-]{0,20})?:\/\/([^\s'"/?#]{1,512})@/gi;
/** With a slash or similar in the password; not a port. */
const ODD_ADDRESS = /([a-z][a-z0-9+.-]{0,20})?:\/\/[^\s'"/@:[\]]{1,128}:(?!\d{1,5}(?:[/?#\s'"]|$))[^\s'"@]{1,256}@/gi;
const ORACLE = /(jdbc:oracle:\w{1,20}:[^\s/@]{1,64}\/)[^\s@]{1,256}@/gi;
const WEBHOOK = /(discord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/)[\w-]{8,}/gi;
/** A line of .pgpass: host, port, database, user, password. */
const PGPASS = /^([\w.*-]{1,253}:(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:)\S+$/gm;

function isPlainUser(scheme: string, user: string): boolean {
  if (user === REDACTED) return true;
  return !user.includes(":") && (user === "git" || /^(?:git\+)?(?:ssh|sftp|scp|rsync|svn\+ssh)$/i.test(scheme));
}
