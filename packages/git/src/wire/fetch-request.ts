/** What a fetch asks for, in the words both protocols share. */
import type { Oid } from "../oid.ts";

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
  /** Tags that point into what is sent come along. */
  readonly includeTag?: boolean;
  readonly thinPack?: boolean;
  readonly quiet?: boolean;
}

export interface ShallowUpdate {
  readonly shallow: readonly Oid[];
  readonly unshallow: readonly Oid[];
}

/** The pack is still to come: it is read to its end, or the connection is given up. */
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
