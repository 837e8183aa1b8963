/** The fields of `--format` and `--sort` in listings of refs: `%(refname:short)`, `%(*objectname)`, `%(upstream:track)` … */

import { parseColor } from "../../config/color.ts";
import { formatDate, parseDateMode } from "../../date/format-date.ts";
import { localTime, zoneMinutes } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import { sanitizedSubject } from "../../message/commit-message.ts";
import { formatSignature, type Signature } from "../../object/signature.ts";
import { diskUsage } from "../../odb/disk-usage.ts";
import { formatTrailers } from "../../pretty/format-trailers.ts";
import type { Repository } from "../../repository.ts";
import type { Atom } from "./atom.ts";
import { branchAtom } from "./branch-atoms.ts";
import { type MessageParts, messageParts } from "./message-parts.ts";
import { PEOPLE } from "./parse-atom.ts";
import { refNameForm } from "./ref-name-form.ts";
import type { RefItem, RefObject, RefObjects } from "./ref-object.ts";

export interface AtomContext {
  /** Prints `%(color:…)`. */
  readonly color?: boolean;
  readonly repo: Repository;
  readonly objects: RefObjects;
  /** The ref that HEAD points to, or null. */
  readonly head: string | null;
  /** Branches checked out in work trees, with their paths; read once. */
  readonly workTreePaths: () => Promise<ReadonlyMap<string, string>>;
}

/** `number`: the sort key, if not text. */
export interface AtomValue {
  readonly text: string;
  readonly number?: number;
}

export async function atomValue(context: AtomContext, ref: RefItem, atom: Atom): Promise<AtomValue> {
  const { name, option } = atom;
  switch (name) {
    case "refname":
      return text(ref.displayed ?? (await refNameForm(context.repo, ref.name, atom)));
    case "symref":
      return text(ref.target === undefined ? "" : await refNameForm(context.repo, ref.target, atom));
    case "flag":
      return text(ref.target === undefined ? "" : "symref");
    case "HEAD":
      return text(context.head === ref.name ? "*" : " ");
    case "upstream":
    case "push":
      return text(await branchAtom(context.repo, ref.name, atom));
    case "worktreepath":
      return text((await context.workTreePaths()).get(ref.name) ?? "");
    case "color":
      return text(colorSequence(option ?? "", context.color ?? false));
    case "deltabase":
      return text("0".repeat(40));
    default: {
      const object = atom.dereferenced ? await context.objects.target(ref) : await context.objects.get(ref);
      return object === null ? { text: "", number: 0 } : objectAtom(context, object, name, option);
    }
  }
}

function colorSequence(option: string, wanted: boolean): string {
  const sequence = parseColor(option);
  if (sequence === null)
    throw new GitError(
      "EINVAL",
      `error: invalid color value: ${option}\nfatal: unrecognized color: %(color:${option})`,
      { prefix: "" },
    );
  return wanted ? sequence : "";
}

function text(value: string): AtomValue {
  return { text: value };
}

async function objectAtom(
  context: AtomContext,
  target: RefObject,
  name: string,
  option: string | null,
): Promise<AtomValue> {
  const { oid, object, commit, tag } = target;
  const person = PEOPLE.find((who) => name.startsWith(who));
  if (person) return personAtom(context, personOf(target, person), name.slice(person.length), option, name);
  switch (name) {
    case "objecttype":
      return text(object.type);
    case "objectsize":
      if (option === "disk") {
        const { bytes } = await diskUsage(context.repo.odb, oid);
        return { text: String(bytes), number: bytes };
      }
      return { text: String(object.body.length), number: object.body.length };
    case "objectname":
      return text(await shortForm(context, oid, option, "objectname"));
    case "tree":
      return text(commit ? await shortForm(context, commit.tree, option, "tree") : "");
    case "parent":
      return text(
        commit
          ? (await Promise.all(commit.parents.map((oid) => shortForm(context, oid, option, "parent")))).join(" ")
          : "",
      );
    case "numparent":
      return commit ? { text: String(commit.parents.length), number: commit.parents.length } : { text: "", number: 0 };
    case "object":
      return text(tag?.object ?? "");
    case "type":
      return text(tag?.type ?? "");
    case "tag":
      return text(tag?.tag ?? "");
    case "creator":
    case "creatordate":
      return personAtom(
        context,
        commit?.committer ?? tag?.tagger ?? null,
        name === "creator" ? "" : "date",
        option,
        name,
      );
    case "raw":
      return text(option === "size" ? String(object.body.length) : target.raw);
    default:
      return text(messageAtom(messageParts(commit?.message ?? tag?.message ?? ""), name, option));
  }
}

async function shortForm(
  { repo }: AtomContext,
  oid: RefObject["oid"],
  option: string | null,
  name: string,
): Promise<string> {
  if (option === null) return oid;
  if (option === "short") return repo.odb.abbreviate(oid);
  const digits = /^short=(\d+)$/.exec(option)?.[1];
  if (digits === undefined || Number(digits) === 0) {
    const value = /^short=(.*)$/.exec(option)?.[1];
    if (value !== undefined) throw new GitError("EINVAL", `positive value expected '${value}' in %(${name})`);
    throw new GitError("EINVAL", `unrecognized %(${name}:${option}) argument: ${option}`);
  }
  return repo.odb.abbreviate(oid, Math.max(4, Number(digits)));
}

function personOf({ commit, tag }: RefObject, who: string): Signature | null {
  if (who === "tagger") return tag?.tagger ?? null;
  return who === "author" ? (commit?.author ?? null) : (commit?.committer ?? null);
}

function personAtom(
  { repo }: AtomContext,
  person: Signature | null,
  field: string,
  option: string | null,
  name: string,
): AtomValue {
  if (person === null) return { text: "", number: 0 };
  switch (field) {
    case "":
      return text(formatSignature(person));
    case "name":
      return text(person.name);
    case "email":
      if (option === null) return text(`<${person.email}>`);
      if (option === "trim") return text(person.email);
      if (option === "localpart") return text(person.email.split("@")[0] as string);
      throw new GitError("EINVAL", `unrecognized email option: ${option}`);
    default: {
      const mode = option === null ? { kind: "normal" as const } : parseDateMode(option);
      void name;
      const displayed = formatDate(person.seconds, zoneMinutes(person.zone), mode, localTime(repo.host, repo.env));
      return { text: displayed, number: person.seconds };
    }
  }
}

function messageAtom(parts: MessageParts, name: string, option: string | null): string {
  switch (name) {
    case "subject":
      return option === null ? parts.subject : sanitizedSubject(parts.subject);
    case "body":
      return parts.body + parts.signature;
    case "trailers":
      return trailers(parts, option);
    default:
      return contents(parts, option);
  }
}

function contents(parts: MessageParts, option: string | null): string {
  switch (option) {
    case null:
      return parts.whole;
    case "subject":
      return parts.subject;
    case "body":
      return parts.body;
    case "signature":
      return parts.signature;
    case "size":
      return String(new TextEncoder().encode(parts.whole).length);
    default: {
      const lines = /^lines=(\d+)$/.exec(option)?.[1];
      if (lines !== undefined)
        return firstLines(parts.whole.slice(0, parts.whole.length - parts.signature.length), Number(lines));
      if (option === "trailers" || option.startsWith("trailers:")) return trailers(parts, option.slice(9) || null);
      return "";
    }
  }
}

/** The first lines, indented by four after the first: the output of `tag -n`. */
function firstLines(whole: string, count: number): string {
  return whole
    .replace(/(?<!\n)\n+$/, "")
    .split("\n")
    .slice(0, count)
    .join("\n    ");
}

/** The title is no trailer, so the parser must see where it ends. */
function trailers({ whole, signature }: MessageParts, option: string | null): string {
  return formatTrailers(whole.slice(0, whole.length - signature.length), option ?? "") ?? "";
}
