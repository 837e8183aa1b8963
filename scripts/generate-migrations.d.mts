/** Runs `drizzle-kit generate` with these arguments; returns what it prints. */
export function generateMigrations(...args: string[]): string;
