/** What a test in workerd can ask of the Node process around it, as service bindings (`env.NAME.fetch(…)`). */
export const nodeServices: Record<string, (request: Request) => Promise<Response>> = {};
