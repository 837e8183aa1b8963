/**
 * Leads a search to where a match can be: to the next place with bytes that every match has, so that the automaton sees few lines.
 * Where there are several such bytes, each is tried until it has led to some lines without a match, and the one whose lines were
 * farthest apart stays; or none, where looking at lines costs more than the automaton alone. One guide serves one search.
 */
import { ByteScan } from "../byte-scan.ts";
import { type Node, some } from "./ast.ts";
import { LiteralFinder } from "./literal-finder.ts";
import { type Clause, latin1Bytes, requiredLiterals } from "./literals.ts";

interface PrefilterCandidate {
  readonly needles: LiteralFinder;
  /** They ignore the case of a letter that other letters than a–z and A–Z equal, so they may only be asked in some texts. */
  readonly plainOnly: boolean;
  /** Bytes from one line without a match to the next, when it was tried. */
  apart: number;
}

const MAX_CANDIDATES = 4;
/** More at once are hardly faster to look for than the automaton is. */
const MAX_STRINGS = 16;
/** Lines without a match before a candidate is judged. */
const TRIED = 32;
/** A look at a line costs as much as running the automaton over so many bytes. */
const MIN_APART = 150;

export class Prefilter {
  readonly #candidates: readonly PrefilterCandidate[];
  #current: PrefilterCandidate | undefined;
  /** How many were tried; all, when the best of them is settled on. */
  #tried = 0;
  #misses = 0;
  #missedBytes = 0;
  #text: Uint8Array | null = null;
  #isPlain = false;

  constructor(node: Node) {
    this.#candidates = candidatesOf(node);
    this.#current = this.#candidates[0];
  }

  /** What to look for in this text; null when nothing helps, or there is nothing that every match has. */
  needlesFor(text: Uint8Array): LiteralFinder | null {
    const candidate = this.#current;
    if (candidate === undefined || (candidate.plainOnly && !this.#knowsPlain(text))) return null;
    return candidate.needles;
  }

  /** It led to a line that does not match, so many bytes from where it was asked. */
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

/** Roughly how many bytes a look takes in. */
function worth(clause: Clause): number {
  return Math.min(...clause.map((text) => text.length)) / (1 + (clause.length - 1) / 8);
}

/** Whether it has neither U+017F, which equals `s` when case is ignored, nor U+212A, which equals `k`. */
function isPlain(text: Uint8Array): boolean {
  return new ByteScan(text).isAscii() || ALIKE.find(text, 0, text.length) < 0;
}

const ALIKE = new LiteralFinder([Uint8Array.of(0xc5, 0xbf), Uint8Array.of(0xe2, 0x84, 0xaa)]);
