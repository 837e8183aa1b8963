/** Scores how well a text matches typed letters in order: more for runs, word starts, and a path's last name. 0: no match. */
export function fuzzyScore(text: string, query: string): number {
  const low = text.toLowerCase();
  const wanted = query.toLowerCase().replaceAll(" ", "");
  const nameAt = low.lastIndexOf("/") + 1;
  const inName = scoreFrom(low, wanted, nameAt);
  const best = inName > 0 ? inName * 2 : scoreFrom(low, wanted, 0);
  return best === 0 ? 0 : best + 10 / (10 + text.length);
}

function scoreFrom(text: string, wanted: string, start: number): number {
  const whole = text.indexOf(wanted, start);
  if (whole >= 0) return 10 * wanted.length + (isWordStart(text, whole) ? 20 : 0);
  let score = 0;
  let at = start;
  let run = 0;
  for (const letter of wanted) {
    const found = text.indexOf(letter, at);
    if (found < 0) return 0;
    run = found === at ? run + 1 : 0;
    score += 1 + run + (isWordStart(text, found) ? 3 : 0);
    at = found + 1;
  }
  return score;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^a-z0-9]/.test(text[at - 1] as string);
}
