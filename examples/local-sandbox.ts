import { Workspace } from "@cloudflare/workspace";

/** A workspace whose commands run in the daemon that `npm run daemon:dev` started at `address`. */
export function withLocalDaemon(storage: DurableObjectStorage, address: string, secret: string): Workspace {
  const sandbox = {
    fetch: (request: Request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${address}${pathname}${search}`, request));
    },
  };
  return new Workspace({ storage, sandbox, sandboxSettings: { secret } });
}
