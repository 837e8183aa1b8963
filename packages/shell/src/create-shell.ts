/** `createShell`: the facade of one view of a workspace. Records and running executions are shared by all views. */

import { ShellError } from "./errors.ts";
import { ExecService } from "./exec/exec-service.ts";
import type { ContainerHost, ShellHost } from "./host.ts";
import { isTemplate, quoteTemplate } from "./quote.ts";
import type { Command, ExecOptions, GetOptions, Shell, TemplateValue } from "./shell.ts";
import { createWorkerBackend } from "./worker/worker-backend.ts";

export function createShell(host: ShellHost): Shell {
  const worker = createWorkerBackend(host.worker);
  const service = new ExecService(
    host,
    host.containerBackend === undefined ? [worker] : [host.containerBackend, worker],
  );
  const container = (): ContainerHost => {
    if (host.container !== undefined) return host.container;
    throw new ShellError("ENOSYS", "this workspace has no container");
  };
  return {
    exec: (async (command: Command | TemplateStringsArray, ...rest: unknown[]) =>
      isTemplate(command)
        ? service.exec(quoteTemplate(command, rest as TemplateValue[]), { encoding: "utf8" })
        : service.exec(command, rest[0] as ExecOptions | undefined)) as Shell["exec"],
    get: ((id: string, options?: GetOptions) => service.get(id, options)) as Shell["get"],
    list: (options) => service.list(options),
    remove: (id) => service.remove(id),
    ready: async () => host.container?.ready(),
    exposePort: async (port) => container().exposePort(port),
    unexposePort: async (port) => container().unexposePort(port),
    ports: async () => host.container?.ports() ?? [],
  };
}
