/** Interface between fetch or push and the transport: HTTP, or a repository in the same file system. */
import type { Oid } from "../object/oid.ts";
import type { RemoteRef } from "./advertisement.ts";
import type { FetchRequest, FetchResponse } from "./fetch-request.ts";
import type { Negotiation } from "./negotiation.ts";
import type { SidebandSink } from "./sideband.ts";

export interface ListRefsOptions {
  /** Only names with one of these prefixes; a server may send more. Empty: all. */
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
  /** Null if there are only deletions. Called again if the server first requires credentials. */
  readonly pack: (() => AsyncIterable<Uint8Array>) | null;
  readonly atomic?: boolean;
  readonly quiet?: boolean;
  readonly options?: readonly string[];
}

export interface PushReport {
  /** Null: unpacked. */
  readonly unpackError: string | null;
  /** Ref → null for success, or the reason for the rejection. */
  readonly results: ReadonlyMap<string, string | null>;
}

export interface UploadConnection {
  /** It supports only the first protocol. */
  readonly protocolV0Only?: boolean;
  /** HEAD first, if there is one. */
  listRefs(options?: ListRefsOptions): Promise<readonly RemoteRef[]>;
  fetch(request: FetchRequest, negotiation: Negotiation, sink: SidebandSink): Promise<FetchResponse>;
}

export interface ReceiveConnection {
  readonly refs: readonly RemoteRef[];
  readonly canAtomic: boolean;
  readonly canDelete: boolean;
  readonly canPushOptions: boolean;
  /** It supports deltas on objects it has, and on offsets in the pack. */
  readonly supportsThinPack: boolean;
  readonly supportsOfsDelta: boolean;
  /** In the same file system. */
  readonly isLocal: boolean;
  /** Objects that the other side has besides its refs: what they reach need not be sent. */
  readonly extraHaves: readonly Oid[];
  push(request: PushRequest, sink: SidebandSink): Promise<PushReport>;
}
