/** Splits a message as ref listings do: the subject folded to one line, the rest, and the signature. */
export interface MessageParts {
  readonly whole: string;
  readonly subject: string;
  readonly body: string;
  readonly signature: string;
}

const SIGNATURE = /^-----BEGIN (PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----$/m;

export function messageParts(message: string): MessageParts {
  const whole = message.replace(/^\n+/, "");
  const found = SIGNATURE.exec(whole);
  const end = found ? found.index : whole.length;
  const unsigned = whole.slice(0, end);
  const gap = /\n[ \t\r]*\n/.exec(unsigned);
  const subjectEnd = gap ? gap.index : unsigned.replace(/(?<!\n)\n+$/, "").length;
  const subject = unsigned.slice(0, subjectEnd).replace(/\r$/, "").split(/\r?\n/).join(" ");
  const body = gap ? unsigned.slice(gap.index).replace(/^[\n\r]+/, "") : "";
  return { whole, subject, body, signature: whole.slice(end) };
}
