/** The words both date parsers know, and how much of one must be typed. */

export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** Hours east of Greenwich, summer time included. */
export const ZONES: readonly (readonly [string, number])[] = [
  ["IDLW", -12],
  ["NT", -11],
  ["CAT", -10],
  ["HST", -10],
  ["HDT", -9],
  ["YST", -9],
  ["YDT", -8],
  ["PST", -8],
  ["PDT", -7],
  ["MST", -7],
  ["MDT", -6],
  ["CST", -6],
  ["CDT", -5],
  ["EST", -5],
  ["EDT", -4],
  ["AST", -3],
  ["ADT", -2],
  ["WAT", -1],
  ["GMT", 0],
  ["UTC", 0],
  ["Z", 0],
  ["WET", 0],
  ["BST", 1],
  ["CET", 1],
  ["MET", 1],
  ["MEWT", 1],
  ["MEST", 2],
  ["CEST", 2],
  ["MESZ", 2],
  ["FWT", 1],
  ["FST", 2],
  ["EET", 2],
  ["EEST", 3],
  ["WAST", 7],
  ["WADT", 8],
  ["CCT", 8],
  ["JST", 9],
  ["EAST", 10],
  ["EADT", 11],
  ["GST", 10],
  ["NZT", 12],
  ["NZST", 12],
  ["NZDT", 13],
  ["IDLE", 12],
];

/** Number of letters at `at` that match the start of `word`; 0 if other letters follow them. */
export function matchWord(text: string, at: number, word: string): number {
  let i = 0;
  for (; at + i < text.length; i++) {
    const c = text[at + i] as string;
    if (i < word.length && c.toLowerCase() === (word[i] as string).toLowerCase()) continue;
    if (!/[0-9A-Za-z]/.test(c)) break;
    return 0;
  }
  return i;
}
