export function setUp(): void;
/** Installs a nested project from its lock file, unless that is done already. */
export function installProject(folder: string): void;
