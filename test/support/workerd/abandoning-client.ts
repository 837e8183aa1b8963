/** A Worker that opens things in a workspace and leaves without closing them, as a request that was cut off does. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { getWorkspace, type WorkspaceNamespace } from "@cloudflare/workspace";

export class AbandoningClient extends WorkerEntrypoint<{ WORKSPACE: WorkspaceNamespace }> {
  /** Writes through a handle and returns with the handle open. */
  async leaveHandleOpen(name: string, path: string, text: string): Promise<void> {
    const handle = await getWorkspace(this.env.WORKSPACE, name).fs.open(path, "w");
    await handle.write(text);
  }

  /** Sends half of a body, and returns while the rest is still to come. */
  async leaveMidStream(name: string, path: string): Promise<void> {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 4) controller.enqueue(new Uint8Array(65_536));
        else return new Promise(() => {});
      },
    });
    getWorkspace(this.env.WORKSPACE, name)
      .fs.writeFile(path, body)
      .catch(() => {});
    while (sent < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
