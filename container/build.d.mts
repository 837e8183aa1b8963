export const BUNDLE: string;
export function buildDaemon(options?: { entry?: string; outfile?: string }): Promise<string>;
