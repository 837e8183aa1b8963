/** Identity and time in commits, tags and reflogs: `Name <email> 1700000000 +0200`. */

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly seconds: number;
  /** As written: "+0200". Text, since "-0000" and invalid zones occur and must be preserved. */
  readonly zone: string;
  /** The time is not readable. */
  readonly undated?: boolean;
}

export function formatSignature({ name, email, seconds, zone }: Signature): string {
  return `${name} <${email}> ${seconds} ${zone}`;
}

/** Lenient as git: missing parts are empty or 0. */
export function parseSignature(text: string): Signature {
  const open = text.indexOf("<");
  const close = text.indexOf(">", open + 1);
  if (open < 0 || close < 0) return { name: text.trim(), email: "", seconds: 0, zone: "+0000" };
  // What follows the last bracket, however many there are.
  const when = text.slice(text.lastIndexOf(">") + 1);
  const [, seconds, zone = "+0000"] = /^\s*(\d+)?\s*([+-]\d+)?/.exec(when) ?? [];
  return {
    name: text.slice(0, open).trim(),
    email: text.slice(open + 1, close),
    seconds: Number(seconds ?? 0),
    zone,
    ...(seconds === undefined ? { undated: true } : {}),
  };
}
