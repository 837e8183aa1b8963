/** A connection that delivers messages twice and out of order, as the protocol must bear. */
import { decodeMessage } from "@workspace/protocol";

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

type Hook = () => Promise<unknown>;

/** A connection that does something at a chosen question, or is cut there. Everything else passes in order. */
export class StoppingWire {
  readonly #inner: { fetch(request: Request): Promise<Response> };
  readonly #before = new Map<string, Hook | "cut">();
  readonly #after = new Map<string, Hook | "cut">();
  readonly #always = new Map<string, Hook>();

  constructor(inner: { fetch(request: Request): Promise<Response> }) {
    this.#inner = inner;
  }

  /** Once: the question never arrives. */
  cutBefore(verb: string): void {
    this.#before.set(verb, "cut");
  }

  /** Once: it is done, and the answer never arrives. */
  cutAfter(verb: string): void {
    this.#after.set(verb, "cut");
  }

  before(verb: string, hook: Hook): void {
    this.#before.set(verb, hook);
  }

  after(verb: string, hook: Hook): void {
    this.#after.set(verb, hook);
  }

  /** After every answer to it, until null. */
  always(verb: string, hook: Hook | null): void {
    if (hook === null) this.#always.delete(verb);
    else this.#always.set(verb, hook);
  }

  async fetch(request: Request): Promise<Response> {
    const response = await this.#inner.fetch(request);
    const far = response.webSocket;
    if (!far) return response;
    const { 0: near, 1: relay } = new WebSocketPair();
    far.binaryType = "arraybuffer";
    relay.binaryType = "arraybuffer";
    far.accept();
    relay.accept();
    const verbs = new Map<unknown, string>();
    const cut = () => {
      far.close(1000);
      relay.close(1000);
    };
    this.#relay(relay, far, cut, ({ id, verb }) => {
      verbs.set(id, verb as string);
      return once(this.#before, verb as string);
    });
    this.#relay(far, relay, cut, ({ re }) => {
      const verb = verbs.get(re) ?? "";
      return once(this.#after, verb) ?? this.#always.get(verb);
    });
    return new Response(null, { status: 101, webSocket: near });
  }

  #relay(
    from: WebSocket,
    to: WebSocket,
    cut: () => void,
    hookFor: (header: Record<string, unknown>) => Hook | "cut" | undefined,
  ): void {
    let tail: Promise<unknown> = Promise.resolve();
    from.addEventListener("message", ({ data }) => {
      tail = tail.then(async () => {
        const hook = hookFor(decodeMessage(new Uint8Array(data as ArrayBuffer)).header);
        if (hook === "cut") return cut();
        await hook?.();
        if (to.readyState === WebSocket.OPEN) to.send(data as ArrayBuffer);
      });
    });
    // Also after a message that could not be passed on: the other end would wait for its answer.
    const end = () => void tail.then(cut, cut).catch(() => {});
    from.addEventListener("close", end);
    from.addEventListener("error", end);
  }
}

function once(hooks: Map<string, Hook | "cut">, verb: string): Hook | "cut" | undefined {
  const hook = hooks.get(verb);
  hooks.delete(verb);
  return hook;
}
