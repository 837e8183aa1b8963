/** Resolves an abbreviated object id. If several objects match, the expected type decides. */
import { toFields, two, zoneMinutes } from "../date/local-time.ts";
import { parseCommit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import { parseTag } from "../object/tag.ts";
import type { ObjectType } from "../odb/object-database.ts";
import type { Repository } from "../repository.ts";
import { peelTags } from "./peel.ts";

/** The use of the id: `commit` and `tree` also accept objects that lead to one. */
export type DisambiguationHint = "any" | "commit" | "tree" | "blob" | "committish" | "treeish";

type ShortRepository = Pick<Repository, "odb" | "limits" | "warn" | "config">;

const CANDIDATES = 1000;

/** Null: none, or several, which is reported on stderr unless `quiet`. */
export async function findShortOid(
  repo: ShortRepository,
  text: string,
  wanted: DisambiguationHint = "any",
  quiet = false,
): Promise<Oid | null> {
  const prefix = text.toLowerCase();
  if (!/^[0-9a-f]{4,40}$/.test(prefix)) return null;
  const found = await repo.odb.withPrefix(prefix, CANDIDATES);
  if (found.length <= 1) return found[0] ?? null;
  const fitting: Oid[] = [];
  const kind = wanted === "any" ? defaultHint(repo) : wanted;
  for (const oid of found) if (await fits(repo, oid, kind)) fitting.push(oid);
  if (fitting.length === 1) return fitting[0] as Oid;
  if (!quiet) await printAmbiguous(repo, text, fitting.length > 0 ? fitting : found);
  return null;
}

const KINDS: readonly string[] = ["commit", "committish", "tree", "treeish", "blob"];

/** `core.disambiguate`, if any type is accepted. */
function defaultHint({ config }: ShortRepository): DisambiguationHint {
  const kind = config.get("core.disambiguate")?.toLowerCase() ?? "";
  return KINDS.includes(kind) ? (kind as DisambiguationHint) : "any";
}

async function fits(repo: ShortRepository, oid: Oid, wanted: DisambiguationHint): Promise<boolean> {
  if (wanted === "any") return true;
  const type = (await repo.odb.header(oid))?.type;
  if (wanted === "committish" || wanted === "treeish") {
    const end = type === "tag" ? (await peelTags(repo, oid))?.type : type;
    return end === "commit" || (wanted === "treeish" && end === "tree");
  }
  return type === wanted;
}

const ORDER: readonly ObjectType[] = ["tag", "commit", "tree", "blob"];

async function printAmbiguous({ odb, warn }: ShortRepository, text: string, oids: readonly Oid[]): Promise<void> {
  if (!warn) return;
  warn(`short object ID ${text} is ambiguous`, "error");
  warn("The candidates are:", "hint");
  const typed = await Promise.all(oids.map(async (oid) => ({ oid, type: (await odb.header(oid))?.type ?? "blob" })));
  typed.sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type) || (a.oid < b.oid ? -1 : 1));
  for (const { oid, type } of typed) {
    const details = await describe(odb, oid, type);
    warn(`  ${await odb.abbreviate(oid)} ${type}${details}`, "hint");
  }
}

async function describe(odb: Repository["odb"], oid: Oid, type: ObjectType): Promise<string> {
  if (type === "commit") {
    const { committer, message } = parseCommit((await odb.need(oid, "commit")).body);
    return ` ${shortDate(committer)} - ${message.trimStart().split("\n")[0]}`;
  }
  if (type === "tag") {
    const { tagger, tag } = parseTag((await odb.need(oid, "tag")).body);
    return tagger ? ` ${shortDate(tagger)} - ${tag}` : ` - ${tag}`;
  }
  return "";
}

function shortDate({ seconds, zone }: { seconds: number; zone: string }): string {
  const { year, month, day } = toFields(seconds, zoneMinutes(zone));
  return `${year}-${two(month + 1)}-${two(day)}`;
}

/** `v1.2-14-g2414721` as `git describe` prints it: only the digits count. */
export function describedPrefix(text: string): string | null {
  return /^.+-\d+-g([0-9a-f]{4,40})$/i.exec(text)?.[1] ?? (/-g([0-9a-f]{4,40})$/i.exec(text)?.[1] || null);
}
