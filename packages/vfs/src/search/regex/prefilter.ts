/**
 * Leads a search to the next position with bytes that every match contains, so that the automaton sees few lines. If there are
 * several candidates, each is tried until it has led to some lines without a match. The one whose lines were farthest apart is
 * used; or none, if checking lines costs more than the automaton alone. One prefilter serves one search.
 */
import { ByteScan } from "../byte-scan.ts";
import { type Node, some } from "./ast.ts";
import { LiteralFinder } from "./literal-finder.ts";
import { type Clause, latin1Bytes, requiredLiterals } from "./literals.ts";

interface PrefilterCandidate {
  readonly needles: LiteralFinder;
  /** They ignore the case of a letter that equals letters other than a–z and A–Z, so they are valid only in some texts. */
  readonly plainOnly: boolean;
  /** Bytes between two lines without a match, measured during its trial. */
  apart: number;
}

const MAX_CANDIDATES = 4;
/** Searching for more at once is hardly faster than the automaton. */
const MAX_STRINGS = 16;
/** Lines without a match before a candidate is rated. */
const TRIED = 32;
/** Checking a line costs as much as running the automaton over this many bytes. */
const MIN_APART = 150;

export class Prefilter {
  readonly #candidates: readonly PrefilterCandidate[];
  #current: PrefilterCandidate | undefined;
  /** How many were tried; all, once the best of them is chosen. */
  #tried = 0;
  #misses = 0;
  #missedBytes = 0;
  #text: Uint8Array | null = null;
  #isPlain = false;

  constructor(node: Node) {
    this.#candidates = candidatesOf(node);
    this.#current = this.#candidates[0];
  }

  /** The strings to find in this text; null when none helps, or no bytes are in every match. */
  needlesFor(text: Uint8Array): LiteralFinder | null {
    const candidate = this.#current;
    if (candidate === undefined || (candidate.plainOnly && !this.#knowsPlain(text))) return null;
    return candidate.needles;
  }

  /** It led to a line that does not match, this many bytes from the start of the lookup. */
  missed(bytes: number): void {
    this.#misses++;
    this.#missedBytes += bytes;
    if (this.#misses < TRIED || this.#current === undefined) return;
    this.#current.apart = this.#missedBytes / this.#misses;
    this.#misses = 0;
    this.#missedBytes = 0;
    if (this.#tried < this.#candidates.length) this.#tried++;
    this.#current = this.#candidates[this.#tried] ?? this.#best();
  }

  #best(): PrefilterCandidate | undefined {
    const far = this.#candidates.filter(({ apart }) => apart >= MIN_APART);
    return far.length === 0 ? undefined : far.reduce((a, b) => (b.apart > a.apart ? b : a));
  }

  #knowsPlain(text: Uint8Array): boolean {
    if (this.#text !== text) {
      this.#text = text;
      this.#isPlain = isPlain(text);
    }
    return this.#isPlain;
  }
}

function candidatesOf(node: Node): PrefilterCandidate[] {
  const ignoresCase = some(node, (part) => part.kind === "set" && part.folded !== undefined);
  const exact = requiredLiterals(node, "exact").map((clause) => ({ clause, ignoreCase: false }));
  const folded = !ignoresCase ? [] : requiredLiterals(node, "folded").map((clause) => ({ clause, ignoreCase: true }));
  return [...exact, ...folded]
    .filter(({ clause }) => clause.length <= MAX_STRINGS)
    .sort((a, b) => worth(b.clause) - worth(a.clause))
    .slice(0, MAX_CANDIDATES)
    .map(({ clause, ignoreCase }) => ({
      needles: new LiteralFinder(clause.map(latin1Bytes), ignoreCase),
      plainOnly: ignoreCase && clause.some((text) => /[ks]/.test(text)),
      apart: Number.POSITIVE_INFINITY,
    }));
}

/** Approximate number of bytes that one check covers. */
function worth(clause: Clause): number {
  return Math.min(...clause.map((text) => text.length)) / (1 + (clause.length - 1) / 8);
}

/** Whether the text has neither U+017F, which equals `s` when case is ignored, nor U+212A, which equals `k`. */
function isPlain(text: Uint8Array): boolean {
  return new ByteScan(text).isAscii() || ALIKE.find(text, 0, text.length) < 0;
}

const ALIKE = new LiteralFinder([Uint8Array.of(0xc5, 0xbf), Uint8Array.of(0xe2, 0x84, 0xaa)]);
