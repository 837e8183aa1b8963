/** Merges three versions of one file: mode, then content, by its type and its `merge` attribute. */
import { type Favor, mergeText } from "@workspace/text";
import { type Attributes, openAttributes } from "../attributes/attributes.ts";
import { type Conversion, openConversion } from "../convert/conversion.ts";
import { bufferIsBinary } from "../diff/file-contents.ts";
import { ownStage } from "../index/staged-conversion.ts";
import { isFileMode, isGitlinkMode, isSameType } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { ZERO_OID } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import type { ConflictStyle, MergeContext } from "./merge-context.ts";
import type { FileVersion, Triple } from "./merge-entry.ts";
import { type ProgramDriver, programDriver, runMergeDriver } from "./run-merge-driver.ts";

interface MergedContent {
  readonly clean: boolean;
  readonly result: FileVersion;
}

const MARKER = 7;

/** `path` is its target, `positions` the path of each version. Sides must have the same type. */
export async function mergeContent(
  context: MergeContext,
  path: string,
  [base, ours, theirs]: Triple<FileVersion>,
  positions: Triple<string>,
  extraMarker: number,
): Promise<MergedContent> {
  let clean = true;
  let mode = theirs.mode;
  if (ours.mode !== theirs.mode && ours.mode !== base.mode) {
    mode = ours.mode;
    clean = theirs.mode === base.mode;
  }
  if (ours.oid === theirs.oid || ours.oid === base.oid) return { clean, result: { mode, oid: theirs.oid } };
  if (theirs.oid === base.oid) return { clean, result: { mode, oid: ours.oid } };
  const { depth, options } = context;
  if (isFileMode(ours.mode)) {
    const from = isSameType(base.mode, ours.mode) ? base.oid : ZERO_OID;
    const merged = await mergeBlobs(context, path, [from, ours.oid, theirs.oid], positions, extraMarker);
    context.messages.add(path, `Auto-merging ${path}`);
    return { clean: clean && merged.clean, result: { mode, oid: merged.oid } };
  }
  if (isGitlinkMode(ours.mode)) {
    if (base.mode !== 0) context.messages.add(path, `Failed to merge submodule ${path} (not checked out)`);
    return { clean: false, result: depth > 0 ? base : { mode, oid: ours.oid } };
  }
  if (depth > 0) return { clean: false, result: base };
  if (options.favor === undefined) return { clean: false, result: { mode, oid: ours.oid } };
  return { clean, result: { mode, oid: options.favor === "ours" ? ours.oid : theirs.oid } };
}

type Driver = { readonly markerSize: number } & ({ readonly kind: "text" | "binary" | "union" } | ProgramDriver);

/** Uses only the repository, labels, options, depth and messages of the context. */
export async function mergeBlobs(
  context: Omit<MergeContext, "paths" | "conflicted"> & Partial<Pick<MergeContext, "paths">>,
  path: string,
  oids: Triple<Oid>,
  positions: Triple<string>,
  extraMarker: number,
): Promise<{ clean: boolean; oid: Oid }> {
  const { repo, labels, options, depth } = context;
  const named = positions[0] !== positions[1] || positions[1] !== positions[2];
  const label = (text: string, position: string) => (named ? `${text}:${position}` : text);
  const [baseName, ourName, theirName] = [
    label(labels.base, positions[0]),
    label(labels.ours, positions[1]),
    label(labels.theirs, positions[2]),
  ];
  const driver = await driverOf(repo, path, depth > 0);
  const favor = depth > 0 ? undefined : options.favor;
  const contents: (Uint8Array | null)[] = [];
  for (const oid of oids) contents.push(await readMergeContent(context, path, oid, options.renormalize ?? false));
  const [base, ours, theirs] = contents;
  if (driver.kind === "program" && base && ours && theirs)
    return runMergeDriver(repo, driver, path, [base, ours, theirs], driver.markerSize + extraMarker);
  if (driver.kind === "binary" || !base || !ours || !theirs || [base, ours, theirs].some(bufferIsBinary)) {
    if (depth > 0)
      return { clean: true, oid: oids[0] === ZERO_OID ? await repo.odb.write("blob", new Uint8Array(0)) : oids[0] };
    if (favor !== undefined) return { clean: true, oid: favor === "ours" ? oids[1] : oids[2] };
    context.messages.add(path, `warning: Cannot merge binary files: ${path} (${ourName} vs. ${theirName})`);
    return { clean: false, oid: oids[1] };
  }
  const effective: Favor | undefined = driver.kind === "union" ? "union" : favor;
  const { content, conflicts } = mergeText(base, ours, theirs, {
    labels: { base: baseName, ours: ourName, theirs: theirName },
    style: options.style ?? conflictStyle(repo),
    level: "zealous",
    algorithm: options.algorithm ?? "histogram",
    markerSize: driver.markerSize + extraMarker,
    ...(options.whitespace === undefined ? {} : { whitespace: options.whitespace }),
    ...(effective === undefined ? {} : { favor: effective }),
  });
  return { clean: conflicts === 0, oid: await repo.odb.write("blob", content) };
}

export function conflictStyle({ config }: Repository): ConflictStyle {
  const style = config.get("merge.conflictstyle");
  return style === "diff3" || style === "zdiff3" ? style : "merge";
}

/** Null: too large to hold. */
async function readMergeContent(
  context: AttributeContext,
  path: string,
  oid: Oid,
  renormalize: boolean,
): Promise<Uint8Array | null> {
  const { repo } = context;
  if (oid === ZERO_OID) return new Uint8Array(0);
  const header = await repo.odb.header(oid);
  if (header && header.size > repo.limits.wholeObject) return null;
  const { body } = await repo.odb.need(oid, "blob");
  if (!renormalize) return body;
  const conversion = await conversionOf(context);
  await conversion.prepare([path]);
  return conversion.toGit(path, conversion.toWorkTree(path, body, oid), { renormalize: true });
}

type AttributeContext = Pick<MergeContext, "repo"> & Partial<Pick<MergeContext, "paths" | "conversion">>;

/** Uses the merged attributes: a side's line ending rule applies to all versions. */
function conversionOf(context: AttributeContext): Promise<Conversion> {
  if (context.conversion !== undefined) return context.conversion;
  const { repo, paths } = context;
  const merged = async (file: string): Promise<Uint8Array | null> => {
    const entry = paths?.get(file);
    if (entry === undefined) return stagedContent(repo, file);
    const [base, ours, theirs] = entry.versions;
    const { mode, oid } = ours.mode === base.mode && ours.oid === base.oid ? theirs : ours;
    return mode === 0 ? new Uint8Array(0) : (await repo.odb.need(oid, "blob")).body;
  };
  const options = paths === undefined ? { staged: merged } : { coming: merged };
  context.conversion = openAttributes(repo, options).then((attributes) => openConversion(repo, { attributes }));
  return context.conversion;
}

/** Whether two versions are equal after normalizing line endings. */
export async function isSameNormalized(
  context: AttributeContext,
  path: string,
  a: FileVersion,
  b: FileVersion,
): Promise<boolean> {
  if (a.mode !== b.mode) return false;
  if (a.oid === b.oid) return true;
  const [x, y] = [
    await readMergeContent(context, path, a.oid, true),
    await readMergeContent(context, path, b.oid, true),
  ];
  return x !== null && y !== null && x.length === y.length && x.every((byte, i) => byte === y[i]);
}

async function stagedContent(repo: Repository, file: string): Promise<Uint8Array | null> {
  const entry = ownStage((await repo.readIndexEntries?.(file)) ?? []);
  return entry === undefined ? null : ((await repo.odb.read(entry.oid))?.body ?? null);
}

const opened = new WeakMap<Repository, Promise<Attributes>>();

/** `virtual`: for merging common ancestors, where a driver may name another. */
async function driverOf(repo: Repository, path: string, virtual: boolean): Promise<Driver> {
  let reading = opened.get(repo);
  if (reading === undefined) {
    reading = openAttributes(repo, { staged: (file) => stagedContent(repo, file) });
    opened.set(repo, reading);
  }
  const attributes = await reading;
  await attributes.prepare([path]);
  const input = attributes.get(path, "merge") ?? repo.config.get("merge.default") ?? true;
  const value = (virtual && typeof input === "string" && repo.config.get(`merge.${input}.recursive`)) || input;
  const size = Number(attributes.get(path, "conflict-marker-size"));
  const markerSize = Number.isInteger(size) && size > 0 ? size : MARKER;
  const program = typeof value === "string" ? programDriver(repo, value) : null;
  if (program !== null) return { ...program, markerSize };
  const kind = value === false || value === "binary" ? "binary" : value === "union" ? "union" : "text";
  return { kind, markerSize };
}
