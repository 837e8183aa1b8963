/** A connection that delivers messages twice and out of order, as the protocol must bear. */
export type Chance = () => number;

export interface Unruly {
  /** Of messages that come twice, and of those that come late. */
  twice: number;
  late: number;
}

export function unrulySandbox(
  inner: { fetch(request: Request): Promise<Response> },
  chance: Chance,
  unruly: Unruly,
): { fetch(request: Request): Promise<Response> } {
  return {
    async fetch(request) {
      const response = await inner.fetch(request);
      const far = response.webSocket;
      if (!far) return response;
      const { 0: near, 1: relay } = new WebSocketPair();
      far.binaryType = "arraybuffer";
      relay.binaryType = "arraybuffer";
      far.accept();
      relay.accept();
      forward(far, relay, chance, unruly);
      forward(relay, far, chance, unruly);
      return new Response(null, { status: 101, webSocket: near });
    },
  };
}

function forward(from: WebSocket, to: WebSocket, chance: Chance, { twice, late }: Unruly): void {
  let first = true;
  from.addEventListener("message", ({ data }) => {
    const send = () => {
      try {
        to.send(data as ArrayBuffer);
      } catch {
        // Closed meanwhile.
      }
    };
    // The hello comes first: before it there is nothing to put in disorder.
    if (!first && chance() < late) setTimeout(send, 1 + Math.floor(chance() * 8));
    else send();
    if (!first && chance() < twice) setTimeout(send, Math.floor(chance() * 8));
    first = false;
  });
  const close = () => {
    try {
      to.close(1000);
    } catch {
      // Closed meanwhile.
    }
  };
  from.addEventListener("close", close);
  from.addEventListener("error", close);
}
