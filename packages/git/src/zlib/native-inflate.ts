/**
 * Inflates whole streams with the runtime's own zlib, several times as fast as ours on large ones. Its public calls allocate for
 * every stream; the internal handle below them writes into the caller's buffer and reports how much input is left. The handle is
 * not a public API: it is tested on a known stream first, and if it is missing, or does not return exactly what is expected, our
 * inflater does the work.
 */
import { adler32 } from "./adler32.ts";

interface Handle {
  reset(): void;
  writeSync(
    flush: number,
    input: Uint8Array,
    at: number,
    length: number,
    output: Uint8Array,
    to: number,
    room: number,
  ): unknown;
  /** workerd. */
  setErrorHandler?(reported: () => void): void;
  /** Node. */
  onerror?: () => void;
}

interface NativeStream {
  readonly _handle?: Handle;
  /** Room left, input left. */
  readonly _writeState?: Uint32Array;
}

const createNative = (
  globalThis as {
    process?: { getBuiltinModule?: (name: string) => { createInflate?: () => NativeStream } | undefined };
  }
).process?.getBuiltinModule?.("node:zlib")?.createInflate;

/** "hello hello hello", with bytes after it. */
const KNOWN = Uint8Array.of(120, 156, 203, 72, 205, 201, 201, 87, 200, 64, 144, 0, 58, 46, 6, 125, 7, 7);
const KNOWN_SIZE = 17;
const KNOWN_CHECKSUM = 0x3a2e067d;

const FURTHER_BYTE = new Uint8Array(1);

class NativeInflate {
  #failed = false;

  constructor(
    private readonly handle: Handle,
    private readonly left: Uint32Array,
  ) {
    const fail = () => {
      this.#failed = true;
    };
    if (handle.setErrorHandler) handle.setErrorHandler(fail);
    else handle.onerror = fail;
  }

  /** Bytes of input used; -1: broken, truncated, or of another size. */
  inflate(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number, size: number): number {
    // One byte of room more than the expected output: if it stays unused, the stream has ended.
    const room = size + 1;
    this.handle.reset();
    this.handle.writeSync(0, input, from, to - from, output, at, room);
    if (this.#failed || this.left[0] !== 1) return -1;
    const left = this.left[1] as number;
    if (left > 0) return to - from - left;
    // All input is used, and the end of the stream may be missing: an ended stream does not consume a further byte.
    this.handle.writeSync(0, FURTHER_BYTE, 0, 1, output, at + size, 1);
    return !this.#failed && this.left[1] === 1 ? to - from : -1;
  }

  /** A handle that met an error must not be reused. */
  get broken(): boolean {
    return this.#failed;
  }
}

let available = createNative !== undefined;
let current: NativeInflate | null = null;

/**
 * Writes `size` bytes to `output` at `at`, with room for one more; returns the input used. -1: not done, and `output` from `at` on
 * is garbage.
 */
export function inflateNatively(
  input: Uint8Array,
  from: number,
  to: number,
  output: Uint8Array,
  at: number,
  size: number,
): number {
  if (!available || to - from < 6) return -1;
  try {
    current ??= open();
    const used = current?.inflate(input, from, to, output, at, size) ?? -1;
    if (current?.broken) current = null;
    return used;
  } catch {
    available = false;
    return -1;
  }
}

function open(): NativeInflate | null {
  const stream = createNative?.();
  if (stream?._handle !== undefined && stream._writeState !== undefined) {
    const native = new NativeInflate(stream._handle, stream._writeState);
    const output = new Uint8Array(KNOWN_SIZE + 1);
    const used = native.inflate(KNOWN, 0, KNOWN.length, output, 0, KNOWN_SIZE);
    if (used === KNOWN.length - 2 && adler32(1, output, 0, KNOWN_SIZE) === KNOWN_CHECKSUM) return native;
  }
  available = false;
  return null;
}
