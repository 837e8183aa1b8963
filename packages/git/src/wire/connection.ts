/** The waist between "what to fetch or push" and "how the other side is reached": over HTTP, or a repository in the same file system. */
import type { Oid } from "../oid.ts";
import type { RemoteRef } from "./advertisement.ts";
import type { FetchRequest, FetchResponse } from "./fetch-request.ts";
import type { Negotiation } from "./negotiation.ts";
import type { SidebandSink } from "./sideband.ts";

export interface ListRefsOptions {
  /** Only names that begin with one of these; a server may tell more. Empty: all. */
  readonly prefixes?: readonly string[];
}

export interface PushCommand {
  readonly name: string;
  /** Zero: it must not exist. */
  readonly from: Oid;
  /** Zero: delete. */
  readonly to: Oid;
}

export interface PushRequest {
  readonly commands: readonly PushCommand[];
  /** Null when nothing but deletions is asked for. Called again when the server first wants credentials. */
  readonly pack: (() => AsyncIterable<Uint8Array>) | null;
  readonly atomic?: boolean;
  readonly quiet?: boolean;
  readonly options?: readonly string[];
}

export interface PushReport {
  /** Null: unpacked. */
  readonly unpackError: string | null;
  /** Ref → null for done, or why not. */
  readonly results: ReadonlyMap<string, string | null>;
}

export interface UploadConnection {
  /** It speaks no protocol but the first. */
  readonly protocolV0Only?: boolean;
  /** HEAD first when there is one. */
  listRefs(options?: ListRefsOptions): Promise<readonly RemoteRef[]>;
  fetch(request: FetchRequest, negotiation: Negotiation, sink: SidebandSink): Promise<FetchResponse>;
}

export interface ReceiveConnection {
  readonly refs: readonly RemoteRef[];
  readonly canAtomic: boolean;
  readonly canDelete: boolean;
  readonly canPushOptions: boolean;
  /** It understands deltas on what it has, and on what lies so far back in the pack. */
  readonly supportsThinPack: boolean;
  readonly supportsOfsDelta: boolean;
  /** In the same file system. */
  readonly isLocal: boolean;
  /** The other side has these besides its refs: no need to send what they reach. */
  readonly extraHaves: readonly Oid[];
  push(request: PushRequest, sink: SidebandSink): Promise<PushReport>;
}
