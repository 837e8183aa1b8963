/**
 * Shared by the redaction functions: the placeholder that replaces a secret, the test for references that need no redaction, and
 * the step counter.
 */

/** Called with the steps of a redaction; a step is one match or one examined character. */
export type CountSteps = (steps: number) => void;

export const REDACTED = "[redacted]";

/** Whether the value is the name of a secret rather than the secret: `$TOKEN`, `${TOKEN}`, `$(cat token)`, `{{ token }}`. */
export function isReference(value: string): boolean {
  return /^"?(?:\$\{?\w+\}?|\$\(.*|\{\{.*|<\w+>|\*+|%\w+%)"?$/.test(value) || value === "" || value === REDACTED;
}
