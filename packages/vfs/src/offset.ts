/** A place in a file, or a number of bytes: a whole number that JavaScript can count to. */
export const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
