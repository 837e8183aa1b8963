/**
 * Limits of every loop over an untrusted pattern. Exceeding one during compilation is a GlobError (in an ignore file, a skipped
 * line that `IgnoreRules.skipped` reports). Exceeding one during matching only clears a cache and never changes a result.
 */
/** Length of one pattern, in UTF-16 units. The same as Node's. */
export const MAX_PATTERN_LENGTH = 65_536;

/** Length of one segment of a pattern after braces are expanded; a name has at most 255 bytes. */
export const MAX_SEGMENT_LENGTH = 4_096;

/** Patterns that one brace pattern may expand to. Node cuts silently at 100 000. */
export const MAX_ALTERNATIVES = 10_000;

/** Summed length of those patterns, in UTF-16 units. */
export const MAX_EXPANSION_LENGTH = 1_000_000;

/** Characters examined while braces are paired and expanded. */
export const MAX_EXPANSION_STEPS = 20_000_000;

/** Depth of `{…}` within `{…}`, and of `@(…)` within `@(…)`. */
export const MAX_NESTING = 100;

/** States of one automaton. */
export const MAX_STATES = 250_000;

/** States of one automaton with a negation, `!(…)`, whose every state is visited in every new step. */
export const MAX_NEGATION_STATES = 10_000;

/** Length of one line of an ignore file, in bytes. */
export const MAX_IGNORE_LINE_LENGTH = 16_384;

/** States of one of the automata that an ignore file is compiled to. */
export const MAX_IGNORE_STATES = 50_000;

/** Rows (deterministic states) that an automaton caches; beyond it the cache is cleared. */
export const MAX_ROWS = 2_048;

/** States in all those rows together. */
export const MAX_ROW_STATES = 1_000_000;

/** Transitions that an automaton caches, 4 bytes each: one per row and class of symbols. */
export const MAX_CELLS = 1_000_000;

/** Symbols beyond Latin-1 whose class an automaton caches; others are looked up each time. */
export const MAX_SYMBOLS = 4_096;

/** Directories that an IgnoreStack caches, cleared together. */
export const MAX_FRAMES = 16_384;
