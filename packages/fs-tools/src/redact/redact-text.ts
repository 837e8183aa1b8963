/**
 * Redacts the secrets of a text or a command line: private keys, tokens of known shape, passwords in URLs, and values of secret
 * names and options, also percent-encoded and in base64. The rest stays readable. Each step is one pass over the text, whatever its
 * length; `work` counts them.
 */
import { redactAddresses } from "./redact-addresses.ts";
import { redactEncoded } from "./redact-encoded.ts";
import { redactOptions } from "./redact-options.ts";
import { redactStdin } from "./redact-stdin.ts";
import { redactStatements, redactValues } from "./redact-values.ts";
import { type CountSteps, REDACTED } from "./redacted.ts";
import { PRIVATE_KEY, SECRET_SHAPE } from "./secret-shapes.ts";

const notCounted: CountSteps = () => {};
const PASSES = 8;

/** Without one of these there is no assignment, option, URL, scheme, token or login: most paths and names need no further check. */
const MAY_HOLD_SECRET = /[=:<'%]|(?:^|[\s"'`])-|[\w.-]{12}|\s\S+\s|bearer|basic|pass/i;

export function redactText(text: string, work: CountSteps = notCounted): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  return redactPlain(
    redactEncoded(redactPlain(text, work), (decoded) => redactPlain(decoded, work), work),
    work,
  );
}

function redactPlain(text: string, work: CountSteps): string {
  work(PASSES * text.length);
  let safe =
    text.includes("-----BEGIN ") || text.includes("Private-Lines") ? text.replace(PRIVATE_KEY, () => REDACTED) : text;
  safe = redactAddresses(safe);
  safe = redactStdin(safe, work);
  safe = redactStatements(redactValues(redactOptions(safe, work), work));
  safe = safe.replace(SCHEMES, (whole, scheme: string, value: string) =>
    isCredential(scheme, value) ? `${scheme} ${REDACTED}` : whole,
  );
  return safe.replace(SECRET_SHAPE, () => REDACTED);
}

const SCHEMES = /\b(bearer|basic)\s{1,8}([\w.~+/=-]{4,})/gi;

/** Not "basic authentication" or `Basic realm=`. */
function isCredential(scheme: string, value: string): boolean {
  if (/^realm=/.test(value)) return false;
  if (/^bearer$/i.test(scheme)) return value.length >= 16 || /[\d._~+/=]/.test(value);
  if (value.endsWith("=")) return true;
  try {
    return value.length <= MAX_BASIC && atob(value.padEnd(Math.ceil(value.length / 4) * 4, "=")).includes(":");
  } catch {
    return false;
  }
}

const MAX_BASIC = 10_000;
