/** A position in a file, or a number of bytes: a safe non-negative integer. */
export const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
