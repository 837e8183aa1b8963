export function startOutside(): { certificate: string; end(): void };
export function fetchOutside(request: Request): Promise<Response>;
