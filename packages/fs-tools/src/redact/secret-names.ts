/** Whether a field, option, variable or header of this name is a secret. */
const SECRET_PARTS = new Set([
  ...["password", "passwd", "passphrase", "passcode", "pwd", "pass", "pw", "secret", "secrets", "token", "apikey"],
  ...["credential", "credentials", "authorization", "cookie", "cookies", "jwt", "pat", "otp", "totp", "bearer"],
  ...["sessionid", "sid", "sig", "htpasswd"],
]);
/** Secret when followed by "key". */
const KEY_OWNERS = new Set([
  ...["api", "access", "private", "secret", "auth", "signing", "encryption", "account", "license", "master", "shared"],
  ...["deploy", "subscription", "storage"],
]);
const SECRET_INSIDE = /passw(?:or)?d|passphrase|secret|apikey|accesskey|privatekey|authkey/;
const JOINED =
  /(?:db|my|sql|require|user|root|admin|pg|redis|ftp|smtp|mail|ldap|proxy|key|store|git|ssh|http|auth|access|refresh|id|api|bot|deploy|csrf|xsrf)(?:pass|token|pwd)$/;
/** Ambiguous by themselves: `pass: 3`, `PWD=/workspace`. */
const WEAK = new Set(["pass", "pwd", "pw", "pat", "sid", "otp", "bearer", "auth"]);
/** `token_count`, `passwordLength`, `TokenKind`: about a secret. */
const ABOUT = new Set([
  ...[
    "count",
    "counts",
    "limit",
    "budget",
    "usage",
    "length",
    "size",
    "endpoint",
    "expiry",
    "ttl",
    "kind",
    "min",
    "max",
  ],
  ...["rounds", "policy", "field", "label", "hint", "reset", "strength", "age", "rotation"],
]);
/** `SESSIONID`, `PHPSESSID`, `ASP.NET_SessionId`, `X-Session-Id`. */
const SESSION = /(?:^|[^a-z]|php|j|asp)sess(?:ion)?[-_.]?id$/i;
/** The location of a secret, or how it is requested. */
const PLACE_SUFFIX = /[-_.](?:file|path|stdin|fd|env|prompt|helper|dir|url|name|type|id|jar)$/i;
const MAX_NAME = 200;

export function isSecretName(given: string): boolean {
  const name = given.slice(-MAX_NAME);
  if (SESSION.test(name)) return true;
  if (/(?:File|Path|Url|Name|Type|Id)$/.test(name) || PLACE_SUFFIX.test(name)) return false;
  const parts = nameParts(name);
  if (parts.length === 1 && WEAK.has(parts[0] as string)) return false;
  if (parts.includes("signature") && /^(?:x-amz|x-goog)/i.test(name)) return true;
  return parts.some((part, i) => {
    if (parts.slice(i + 1).some((next) => ABOUT.has(next))) return false;
    if (part === "key") return KEY_OWNERS.has(parts[i - 1] ?? "");
    if (part === "auth") return i === parts.length - 1 && (i > 0 || name.startsWith("_"));
    return SECRET_PARTS.has(part) || SECRET_INSIDE.test(part) || JOINED.test(part);
  });
}

/** `pass`, `pw` and similar, as an option or the target of an assignment. */
export function isWeakSecretName(name: string): boolean {
  const parts = name.length > MAX_NAME ? [] : nameParts(name);
  return parts.length === 1 && parts[0] !== "pwd" && WEAK.has(parts[0] as string);
}

/** Headers whose whole value is a secret, including the scheme. */
export function isSecretHeader(name: string): boolean {
  return /^(?:(?:x-|proxy-|x-forwarded-)?authorization|(?:set-)?cookie2?)$/i.test(name);
}

function nameParts(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before}_${after}`)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
}
