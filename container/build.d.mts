export const BUNDLE: string;
export function buildDaemon(): Promise<string>;
