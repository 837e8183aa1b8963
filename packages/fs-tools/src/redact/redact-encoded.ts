/**
 * Secrets in an encoding. Percent-encoded text that holds one is shown decoded and redacted; base64 is redacted whole. Each run is
 * decoded a few times at most, so the work stays in proportion to the text.
 */
import { type CountSteps, REDACTED } from "./redacted.ts";

const MAX_LAYERS = 3;
/** Longer runs are data, and would be decoded for nothing. */
const MAX_BASE64 = 16_384;

export function redactEncoded(text: string, redactPlain: (text: string) => string, work: CountSteps): string {
  let safe = text;
  if (safe.includes("%"))
    safe = safe.replace(PERCENT_RUN, (run) => {
      work(run.length);
      return run.includes("%") ? redactPercent(run, redactPlain) : run;
    });
  return safe.replace(BASE64_RUN, (run, at: number) => {
    work(run.length);
    const decoded = decodeBase64(run);
    if (decoded === null) return run;
    const isCredential =
      /^[\w.@+-]{1,128}:[^\s:]+$/.test(decoded) && DOCKER_AUTH.test(safe.slice(Math.max(0, at - 16), at));
    return isCredential || redactPlain(decoded) !== decoded ? REDACTED : run;
  });
}

/** Not the brackets of a redaction. */
const PERCENT_RUN = /[^\s"'`[\]<>|]+/g;
const BASE64_RUN = /(?<![\w+/=.%-])[A-Za-z0-9+/]{12,}={0,2}(?![\w+/=.-])/g;
const DOCKER_AUTH = /["']auth["']\s{0,4}:\s{0,4}["']$/;

function redactPercent(run: string, redactPlain: (text: string) => string): string {
  let decoded = run;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const next = decodePercent(decoded);
    if (next === decoded) return run;
    decoded = next;
    const safe = redactPlain(decoded);
    if (safe !== decoded) return safe;
  }
  return run;
}

function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

/** Null for what is no base64 of a text. */
function decodeBase64(run: string): string | null {
  if (run.length > MAX_BASE64) return null;
  try {
    const decoded = atob(run);
    // Control characters mark data that is no text.
    return /[\0-\x08\x0e-\x1f\x7f-\xff]/.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}
