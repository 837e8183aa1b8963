/**
 * Applies the workspace's changes to the container: offers in batches, then the contents that it lacks, with at most a few
 * megabytes in flight. Every step can be repeated. The cursor advances when all offers up to it were answered. The container
 * records what it could not apply, and requests it after its next scan.
 */
import { type OfferOutcome, outcomesOf, type PushEntry, SYNC_LIMITS } from "@workspace/protocol";
import type { WriteView } from "@workspace/vfs";
import type { DaemonConnection } from "../container/daemon-connection.ts";
import type { BufferedBytes } from "./buffered-bytes.ts";
import { allOffers, changedSince, offersFor } from "./offers.ts";
import type { Policy } from "./policy.ts";
import type { SyncReportBuilder } from "./sync-report-builder.ts";
import type { SyncState } from "./sync-state.ts";
import type { SyncTree } from "./sync-tree.ts";

export interface PushContext {
  volume: WriteView;
  view: SyncTree;
  state: SyncState;
  connection: DaemonConnection;
  policy: Policy;
  report: SyncReportBuilder;
  budget: { entries: number; bytes: number };
  held: BufferedBytes;
  /** Versions that this container has sent itself: not to be sent back. */
  settled: Map<string, string>;
}

/** A push this small takes one request: contents go with the offers. */
const SMALL_ENTRIES = 64;
const SMALL_BYTES = 256 * 1024;

export async function push(context: PushContext): Promise<void> {
  const { state, connection, view, policy } = context;
  const { instance } = connection.hello;
  state.noteInstance(instance);
  // Changed rules may have held something back.
  const cursor = state.policyOf(instance) === policy.id ? state.cursorOf(instance) : null;
  const touched = cursor === null ? null : await changedSince(view, cursor);
  if (touched === null) return pushAll(context, instance);
  await pushPaths(context, touched.paths, touched.onlyNewContent);
  state.advance(instance, touched.cursor, policy.id);
  context.settled.clear();
}

/** `onlyNewContent`: the container lacks all of these contents, so the push sends them without a query. */
export async function pushPaths(
  context: PushContext,
  paths: ReadonlyMap<string, boolean>,
  onlyNewContent = false,
): Promise<void> {
  if (paths.size === 0) return;
  const { volume, view, policy, report, settled } = context;
  // Below a moved directory, the container has most contents already.
  const inline = onlyNewContent ? "always" : [...paths.values()].includes(true) ? "never" : "few";
  // A directory that was removed or moved and created again has the name and not the entries: everything below it is named, the
  // rest is gone. So nothing is left out then, not even what the container is known to have.
  const whole = new Set<string>();
  const full = inline === "never" ? newFull() : undefined;
  const sender = new Sender(context, { full, inline });
  for await (const offer of offersFor(volume, view, policy, paths, report)) {
    if (full === undefined && offer.version !== undefined && settled.get(offer.path) === offer.version) continue;
    if (offer.type === "dir" && paths.get(offer.path) === true) whole.add(offer.path);
    await sender.add(offer);
  }
  await sender.finish();
  const below = [...whole];
  for (let i = 0; i < below.length; i += SYNC_LIMITS.batchEntries)
    await context.connection.ask("prune", { full, below: below.slice(i, i + SYNC_LIMITS.batchEntries) });
}

function newFull(): number {
  return Math.floor(Math.random() * 2 ** 40) + 1;
}

/** For a container without any state, or one whose state is unknown. */
async function pushAll(context: PushContext, instance: string): Promise<void> {
  const { view, policy, connection, state } = context;
  // The end of the log, before anything is read.
  const cursor = context.volume.ensureOpen().revisions.format(context.volume.revisions.head);
  const full = newFull();
  const sender = new Sender(context, { full, inline: "never" });
  for await (const offer of allOffers(view, policy, context.report)) await sender.add(offer);
  await sender.finish();
  await connection.ask("prune", { full });
  state.advance(instance, cursor, policy.id);
  context.settled.clear();
}

type Inline = "always" | "few" | "never";

class Sender {
  readonly #context: PushContext;
  readonly #full: number | undefined;
  /** When contents are sent together with the offers. */
  readonly #inline: Inline;
  #offers: PushEntry[] = [];
  #bytes = 0;
  #sent = 0;
  /** Before any offer was made: while it is the last one, reads return what was offered. */
  readonly #rev: number;
  /** Messages with contents in flight: the container works on one while the next is made. */
  readonly #inFlight = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  constructor(context: PushContext, { full, inline }: { full?: number; inline: Inline }) {
    this.#context = context;
    this.#rev = context.volume.revisions.head;
    this.#full = full;
    this.#inline = inline;
  }

  async add(offer: PushEntry): Promise<void> {
    // As much as fits one message, so that it need not be offered twice.
    if (this.#inline === "always" && this.#bytes + (offer.size ?? 0) > SYNC_LIMITS.bodyBytes) await this.flush();
    this.#offers.push(offer);
    this.#bytes += offer.size ?? 0;
    if (this.#offers.length >= SYNC_LIMITS.batchEntries) await this.flush();
  }

  /** Everything was answered. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#drain();
  }

  async flush(): Promise<void> {
    const offers = this.#offers;
    const bytes = this.#bytes;
    this.#offers = [];
    this.#bytes = 0;
    if (offers.length === 0) return;
    this.#sent += offers.length;
    if (this.#sent > this.#context.budget.entries) throw overBudget(this.#context.budget.entries);
    const isSmall = offers.length <= SMALL_ENTRIES && bytes <= SMALL_BYTES && this.#inline === "few";
    const fits = this.#inline === "always" && bytes <= SYNC_LIMITS.bodyBytes;
    const needed = isSmall || fits ? offers : await this.#apply(offers, []);
    await this.#sendContents(needed);
  }

  /** Returns the offers that need their content. */
  async #apply(offers: readonly PushEntry[], body: readonly Uint8Array[]): Promise<PushEntry[]> {
    const { connection, policy, report, view } = this.#context;
    const { text, defaults } = policy;
    const question = { entries: offers, policy: text, defaults, full: this.#full };
    const { header } = await connection.ask("apply", question, body);
    let outcomes: OfferOutcome[];
    try {
      outcomes = outcomesOf(header, offers.length);
    } catch (cause) {
      throw connection.protocolError(cause);
    }
    const needed: PushEntry[] = [];
    offers.forEach((offer, i) => {
      const outcome = outcomes[i] as OfferOutcome;
      if (outcome === "need") needed.push(offer);
      else if (outcome === "ok") {
        report.pushed.entries++;
        report.pushed.bytes += offer.bytes ?? 0;
      } else if (outcome !== "dirty") report.skip(view.absolute(offer.path), outcome.failed);
    });
    return needed;
  }

  async #sendContents(offers: readonly PushEntry[]): Promise<void> {
    let batch: PushEntry[] = [];
    let bytes = 0;
    const send = async () => {
      const ready = await this.#withContents(batch);
      batch = [];
      bytes = 0;
      if (ready.offers.length > 0) await this.#launch(ready.offers, ready.body);
    };
    for (const offer of offers) {
      const size = offer.type === "file" ? (offer.size as number) : 0;
      if (size > SYNC_LIMITS.inlineBytes) {
        await this.#sendLarge(offer);
        continue;
      }
      if (bytes + size > SYNC_LIMITS.bodyBytes) await send();
      batch.push(offer);
      bytes += size;
    }
    await send();
  }

  /** Returns when there is room for the next. */
  async #launch(offers: readonly PushEntry[], body: readonly Uint8Array[]): Promise<void> {
    const bytes = body.reduce((sum, { length }) => sum + length, 0);
    const letGo = [this.#context.held.hold(bytes)];
    while (this.#inFlight.size >= SYNC_LIMITS.batchesInFlight) await Promise.race(this.#inFlight);
    if (this.#failure !== null) throw this.#failure.error;
    // The message has its own copy.
    letGo.push(this.#context.held.hold(bytes));
    const sending = this.#deliver(offers, body)
      .catch((error) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#inFlight.delete(sending);
        letGo[1]?.();
      });
    this.#inFlight.add(sending);
    letGo[0]?.();
  }

  async #deliver(offers: readonly PushEntry[], body: readonly Uint8Array[]): Promise<void> {
    const needed = await this.#apply(offers, body);
    // It has been sent everything: a second request for it is a protocol violation.
    if (needed.length > 0)
      throw this.#context.connection.protocolError(new Error("it asks for contents that it was given"));
  }

  async #drain(): Promise<void> {
    await Promise.all(this.#inFlight);
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #withContents(batch: readonly PushEntry[]): Promise<{ offers: PushEntry[]; body: Uint8Array[] }> {
    const { view } = this.#context;
    const files = batch.filter(({ type }) => type === "file");
    const contents = await view.fs.readMany(files.map(({ path }) => view.absolute(path)));
    const byPath = new Map(files.map(({ path }, i) => [path, contents[i]]));
    const offers: PushEntry[] = [];
    const body: Uint8Array[] = [];
    for (const offer of batch) {
      if (offer.type !== "file") {
        offers.push(offer);
        continue;
      }
      const content = byPath.get(offer.path);
      // Written meanwhile: the log has it after the cursor, and the next push sends it. Sent under the offered version, it would be
      // mistaken for that one.
      if (!content || !(await this.#isStill(offer))) continue;
      offers.push({ ...offer, bytes: content.length });
      body.push(content);
    }
    return { offers, body };
  }

  async #isStill({ path, content }: PushEntry): Promise<boolean> {
    const { volume, view } = this.#context;
    return volume.revisions.head === this.#rev || (await view.lookup(path))?.contentVersion === content;
  }

  /** In pieces, from where an earlier attempt was cut off. */
  async #sendLarge(offer: PushEntry): Promise<void> {
    const { connection, view, report, held } = this.#context;
    const key = `${offer.content}`;
    const size = offer.size as number;
    // Its pieces use all the available memory.
    await this.#drain();
    const { header } = await connection.ask("stage", { key, size, offset: 0 }, new Uint8Array(0));
    let at = Math.min(Number.isSafeInteger(header.have) ? Math.max(0, header.have as number) : 0, size);
    const inFlight = new Set<Promise<void>>();
    // A piece can fail while the loop waits for the next chunk. It has left `inFlight` by then, so its error is stored here.
    const errors: unknown[] = [];
    if (!(await this.#isStill(offer))) return;
    // A stream reads the content that the file had when it was opened: if the file is unchanged afterwards, it is the offered one.
    const stream = await view.fs.readStream(view.absolute(offer.path), { start: at });
    if (!(await this.#isStill(offer))) return stream.cancel();
    for await (const chunk of stream) {
      for (let i = 0; i < chunk.length; i += SYNC_LIMITS.pieceBytes) {
        const piece = chunk.subarray(i, i + SYNC_LIMITS.pieceBytes);
        if (inFlight.size >= SYNC_LIMITS.piecesInFlight) await Promise.race(inFlight);
        if (errors.length > 0) throw errors[0];
        const release = held.hold(piece.length);
        const sending: Promise<void> = connection
          .ask("stage", { key, size, offset: at }, piece)
          .then(
            () => {},
            (error) => void errors.push(error),
          )
          .finally(() => {
            inFlight.delete(sending);
            release();
          });
        inFlight.add(sending);
        at += piece.length;
      }
    }
    await Promise.all(inFlight);
    if (errors.length > 0) throw errors[0];
    const needed = await this.#apply([{ ...offer, staged: key }], []);
    if (needed.length > 0) throw connection.protocolError(new Error("it asks for a content that it was given"));
    report.pushed.bytes += size;
  }
}

function overBudget(entries: number): Error {
  return Object.assign(new Error(`EBUDGET: the workspace has more than ${entries} entries to sync`), {
    code: "EBUDGET",
  });
}
