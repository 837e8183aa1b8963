/** Words between blanks, without a string's escapes: lists that stay short. */
export function words({ raw }: TemplateStringsArray): string[] {
  return raw.join("").trim().split(/\s+/);
}
