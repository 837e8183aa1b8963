/** Bytes damaged at random or on purpose, reproducible from a seed. */

/** Printed in the name of each test; another one by hand. */
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? 20_260_101);

export type Random = (below: number) => number;

export function random(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Cut short, a stretch taken out or doubled, a stretch of ones, or some bytes changed. */
export function corruptBytes(bytes: Uint8Array, next: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  switch (next(5)) {
    case 0:
      return copy.subarray(0, next(copy.length));
    case 1:
      return Uint8Array.from([...copy.subarray(0, next(copy.length)), ...copy.subarray(next(copy.length))]);
    case 2:
      copy.fill(0xff, next(copy.length), next(copy.length));
      return copy;
    default:
      for (let i = 0; i <= next(8); i++) copy[next(copy.length)] = next(256);
      return copy;
  }
}

/** The same bytes in pieces of any size, empty ones too. */
export async function* inPieces(bytes: Uint8Array, next: Random): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = Math.min(next(40), bytes.length - at);
    yield bytes.slice(at, at + size);
    at += size;
  }
}
