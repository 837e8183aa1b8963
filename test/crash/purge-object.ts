/** An object whose files held something that must not stay in its database. */
import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { cases, isFirst, type MakePast, markerOf, P, type PurgeCall } from "./purge-cases.ts";

export class Box extends DurableObject {
  readonly workspace = new Workspace({ storage: this.ctx.storage });

  override async fetch(request: Request): Promise<Response> {
    const call = JSON.parse(decodeURIComponent(request.headers.get("x-call")!)) as PurgeCall;
    return Response.json((await this.#run(call)) ?? null);
  }

  async #run({ do: step, name }: PurgeCall): Promise<unknown> {
    const { workspace } = this;
    if (step === "fsck") return workspace.fsck();
    if (step === "purge") return workspace.history.purge(P);
    // Neighbors in the same pages, which stay.
    const neighbors = isFirst(name) ? 0 : 50;
    await workspace.fs.writeMany(
      Array.from({ length: neighbors }, (_, i) => ({ path: `/workspace/q/${i}`, content: `neighbor ${i}` })),
    );
    await workspace.fs.mkdir(P);
    return (cases[name] as MakePast)(workspace.fs, markerOf(name));
  }
}

export default {
  fetch: (request: Request, env: { BOX: DurableObjectNamespace }) =>
    env.BOX.getByName(new URL(request.url).pathname).fetch(request),
};
