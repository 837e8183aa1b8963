/** The request and the response of a fetch, in terms that all protocol versions share. */
import type { Oid } from "../object/oid.ts";

export interface FetchRequest {
  readonly wants: readonly Oid[];
  /** Our own shallow boundary. */
  readonly shallow: readonly Oid[];
  readonly deepen?: {
    readonly depth?: number;
    /** `depth` counts from our boundary, not from the tips. */
    readonly relative?: boolean;
    readonly since?: number;
    readonly not?: readonly string[];
  };
  /** `blob:none` and the like. */
  readonly filter?: string;
  /** Also send tags that point into the sent objects. */
  readonly includeTag?: boolean;
  readonly thinPack?: boolean;
  readonly quiet?: boolean;
}

export interface ShallowUpdate {
  readonly shallow: readonly Oid[];
  readonly unshallow: readonly Oid[];
}

/** The pack follows: the caller reads it to its end, or closes the connection. */
export interface FetchResponse {
  readonly boundary: ShallowUpdate;
  readonly pack: AsyncIterable<Uint8Array>;
}

export function deepenLines({ deepen }: FetchRequest): string[] {
  const { depth, since, not = [] } = deepen ?? {};
  return [
    ...(depth === undefined ? [] : [`deepen ${depth}`]),
    ...(since === undefined ? [] : [`deepen-since ${since}`]),
    ...not.map((name) => `deepen-not ${name}`),
  ];
}
