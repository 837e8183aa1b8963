/** What stands in place of a secret, what needs no redaction, and how its work is counted. */

/** Receives the steps of a redaction: a step is a match, or a character that is looked at. */
export type CountSteps = (steps: number) => void;

export const REDACTED = "[redacted]";

/** `$TOKEN`, `${TOKEN}`, `$(cat token)`, `{{ token }}`: the name of a secret. */
export function isReference(value: string): boolean {
  return /^"?(?:\$\{?\w+\}?|\$\(.*|\{\{.*|<\w+>|\*+|%\w+%)"?$/.test(value) || value === "" || value === REDACTED;
}
