/** A secret that a program reads from its input: `echo x | docker login --password-stdin`, `wrangler secret put NAME <<< x`. */
import { type CountSteps, isReference, REDACTED } from "./redacted.ts";
import { isSecretName } from "./secret-names.ts";

const READS_SECRET = /--password-stdin|--with-token|\bsecrets? (?:put|set)\b|\bchpasswd\b|\bsudo\s{1,4}-S\b/;
const READ_VARIABLE = /\bread\s(?:[^<]{0,80}\s)?(\w{1,80})\s{0,4}$/;
const PRINTS = /^(\s*(?:echo|printf)\s)(\s*-\w+\s)?([\s\S]*?)(\s*)$/;
const HERE_STRING = /(<<<\s{0,4})("[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s;|&<>]+)/g;

export function redactStdin(text: string, work: CountSteps): string {
  if (!text.includes("|") && !text.includes("<<<")) return text;
  // Separators stand at the odd places.
  const parts = text.split(/(\|\||&&|[|;\n])/);
  for (let i = 0; i < parts.length; i += 2) {
    work(1);
    const part = parts[i] as string;
    const reads = READS_SECRET.test(part);
    if (reads && parts[i - 1] === "|") parts[i - 2] = redactPrinted(parts[i - 2] as string);
    if (part.includes("<<<"))
      parts[i] = part.replace(HERE_STRING, (whole, sign: string, value: string, at: number) => {
        const before = part.slice(Math.max(0, at - 200), at);
        const variable = READ_VARIABLE.exec(before)?.[1] ?? "";
        return (reads || isSecretName(variable)) && !isReference(value) ? `${sign}${REDACTED}` : whole;
      });
  }
  return parts.join("");
}

function redactPrinted(part: string): string {
  return part.replace(PRINTS, (whole, command: string, flags = "", printed: string, end: string) =>
    isReference(printed) ? whole : `${command}${flags}${REDACTED}${end}`,
  );
}
