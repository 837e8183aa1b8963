/**
 * Converts between the work tree and stored content: encoding, line endings and `$Id$`, in git's order, by attributes and
 * configuration. Most repositories convert nothing, which `isIdentity` reports without reading content. Filter programs never run:
 * a required one is refused; for another, one warning is printed and the content is used unchanged, as git does if a filter fails.
 */
import { type Attributes, type AttributesOptions, openAttributes } from "../attributes/attributes.ts";
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { collapseIdent, expandIdent } from "./ident.ts";
import {
  addCr,
  attributeAction,
  type CrlfAction,
  decidedAction,
  eolSettings,
  isAuto,
  stripCr,
  willAddCr,
  writesCrlf,
} from "./line-endings.ts";
import { isBinaryByStats, type TextStats, textStats } from "./text-stats.ts";
import { decodeWorkFile, EncodingError, encodeWorkFile, knownEncoding } from "./working-encoding.ts";

export interface Conversion {
  readonly attributes: Attributes;
  /** Must be called for these paths before any other method. */
  prepare(paths: Iterable<string>): Promise<void>;
  /** Content is the same on both sides. */
  isIdentity(path: string): boolean;
  /** A checkout writes the stored content unchanged; the opposite direction may differ. */
  isWrittenAsIs(path: string): boolean;
  toGit(path: string, content: Uint8Array, options?: ToGitOptions): Promise<Uint8Array>;
  toWorkTree(path: string, content: Uint8Array, oid: Oid): Uint8Array;
  /** Refuses, or warns about, a filter that `toGit` or `toWorkTree` would have to run: for content that bypasses them. */
  checkFilter(path: string, way: "clean" | "smudge"): void;
}

export interface ToGitOptions {
  /** It will be stored: `core.safecrlf` warns or refuses. */
  warn?: (text: string) => void;
  /** Ignore the line endings of the staged content (`add --renormalize`, merges). */
  renormalize?: boolean;
}

interface ConversionOptions {
  /** The staged content of a path; automatic conversion skips a file that was stored with CRLF. */
  staged?: (path: string) => Promise<Uint8Array | null>;
  attributes?: Attributes;
  /** As in `AttributesOptions`. */
  coming?: AttributesOptions["coming"];
}

interface ConversionPlan {
  readonly action: CrlfAction;
  readonly encoding: string | null;
  readonly ident: boolean;
  /** The name of a filter that is configured. */
  readonly filter: string | null;
}

export async function openConversion(repo: Repository, options: ConversionOptions = {}): Promise<Conversion> {
  const { staged = async () => null } = options;
  const { coming } = options;
  const attributes = options.attributes ?? (await openAttributes(repo, { staged, ...(coming ? { coming } : {}) }));
  const settings = eolSettings(repo.config);
  const safety = safeCrlf(repo);

  const planFor = (path: string): ConversionPlan => {
    if (attributes.isEmpty)
      return { action: decidedAction("undefined", settings), encoding: null, ident: false, filter: null };
    const get = (name: string) => attributes.get(path, name);
    const encoding = get("working-tree-encoding");
    const filter = get("filter");
    return {
      action: decidedAction(attributeAction(get), settings),
      encoding: checkedEncoding(encoding),
      ident: get("ident") === true,
      filter:
        typeof filter === "string" && (isRequired(filter) || runs(filter, "clean") || runs(filter, "smudge"))
          ? filter
          : null,
    };
  };
  const isRequired = (filter: string) => repo.config.getBool(`filter.${filter}.required`) === true;
  const runs = (filter: string, way: "clean" | "smudge") =>
    [way, "process"].some((key) => repo.config.get(`filter.${filter}.${key}`));
  const reported = reportedFilters(repo);
  const check = (path: string, filter: string | null, way: "clean" | "smudge") => {
    if (filter === null) return;
    if (isRequired(filter)) {
      const name = way === "clean" ? `'${filter}'` : filter;
      throw new GitError("EUNSUPPORTED", `${path}: ${way} filter ${name} failed`);
    }
    if (!runs(filter, way) || reported.has(`${way} ${filter}`)) return;
    reported.add(`${way} ${filter}`);
    repo.warn?.(
      `the ${way} filter '${filter}' was not run: filters are not supported here; '${path}' is taken as it is`,
    );
  };

  const hasCrlfStaged = async (path: string): Promise<boolean> => {
    const content = await staged(path);
    if (content === null || !content.includes(13)) return false;
    const stats = textStats(content);
    return !isBinaryByStats(stats) && stats.crlf > 0;
  };

  const crlfToGit = async (path: string, content: Uint8Array, action: CrlfAction, options: ToGitOptions) => {
    if (action === "binary" || content.length === 0) return content;
    const stats = textStats(content);
    if (isAuto(action) && isBinaryByStats(stats)) return content;
    let strips = stats.crlf > 0;
    if (strips && isAuto(action) && !options.renormalize && (await hasCrlfStaged(path))) strips = false;
    if (options.warn && safety !== false) {
      const added = strips ? { ...stats, loneLf: stats.loneLf + stats.crlf, crlf: 0 } : stats;
      const back = willAddCr(added, action, settings)
        ? { ...added, crlf: added.crlf + added.loneLf, loneLf: 0 }
        : added;
      printRoundTrip(path, stats, back, safety, options.warn);
    }
    return strips ? stripCr(content, isAuto(action)) : content;
  };

  return {
    attributes,
    prepare: (paths) => attributes.prepare(paths),
    isIdentity(path) {
      const { action, encoding, ident, filter } = planFor(path);
      return action === "binary" && encoding === null && !ident && filter === null;
    },
    isWrittenAsIs(path) {
      const { action, encoding, ident, filter } = planFor(path);
      const asIs = filter === null || !(isRequired(filter) || runs(filter, "smudge"));
      return !writesCrlf(action, settings) && encoding === null && !ident && asIs;
    },
    checkFilter(path, way) {
      check(path, planFor(path).filter, way);
    },
    async toGit(path, content, options = {}) {
      const { action, encoding, ident, filter } = planFor(path);
      check(path, filter, "clean");
      const decoded =
        encoding === null || content.length === 0 ? content : decodeOrPrint(repo, path, content, encoding, options);
      const stored = await crlfToGit(path, decoded, action, options);
      return ident ? collapseIdent(stored) : stored;
    },
    toWorkTree(path, content, oid) {
      const { action, encoding, ident, filter } = planFor(path);
      check(path, filter, "smudge");
      let out = ident ? expandIdent(content, oid) : content;
      if (action !== "binary" && out.length > 0) {
        const stats = textStats(out);
        if (willAddCr(stats, action, settings)) out = addCr(out, stats.loneLf);
      }
      return encoding === null || out.length === 0 ? out : encodeWorkFile(path, out, encoding);
    },
  };
}

/** Shared within one command, which reads its configuration once and may convert in several places. */
const reportedByConfig = new WeakMap<Repository["config"], Set<string>>();

function reportedFilters({ config }: Repository): Set<string> {
  const reported = reportedByConfig.get(config) ?? new Set();
  reportedByConfig.set(config, reported);
  return reported;
}

/** Not stored: the error is printed, and the content is used unchanged. */
function decodeOrPrint(
  { warn }: Repository,
  path: string,
  content: Uint8Array,
  encoding: string,
  options: ToGitOptions,
): Uint8Array {
  try {
    return decodeWorkFile(path, content, encoding);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    if (error.advice !== null) warn?.(error.advice, "hint");
    if (options.warn) throw error;
    warn?.(error.message, "error");
    return content;
  }
}

function checkedEncoding(value: string | boolean | undefined): string | null {
  if (value === undefined || value === "" || value === false) return null;
  if (value === true) throw new GitError("EINVAL", "true/false are no valid working-tree-encodings");
  return knownEncoding(value);
}

function safeCrlf({ config }: Repository): "warn" | boolean {
  const value = config.get("core.safecrlf");
  if (value === undefined || value.toLowerCase() === "warn") return "warn";
  return config.getBool("core.safecrlf") ?? false;
}

/** The result of `add` followed by `checkout`. */
function printRoundTrip(
  path: string,
  before: TextStats,
  after: TextStats,
  safety: "warn" | true,
  warn: (text: string) => void,
): void {
  const [from, to] =
    before.crlf > 0 && after.crlf === 0
      ? ["CRLF", "LF"]
      : before.loneLf > 0 && after.loneLf === 0
        ? ["LF", "CRLF"]
        : [];
  if (from === undefined) return;
  if (safety === true) throw new GitError("EINVAL", `${from} would be replaced by ${to} in ${path}`);
  warn(`in the working copy of '${path}', ${from} will be replaced by ${to} the next time Git touches it`);
}
