/** `git hash-object`: prints the ids of contents; `-w` also writes the objects. */

import { type Conversion, openConversion } from "../../convert/conversion.ts";
import { GitError } from "../../errors.ts";
import { hashObject as nameOf, objectHeader } from "../../hash/hash-object.ts";
import { createStreamingHash } from "../../hash/streaming-hash.ts";
import { checkObject } from "../../object/check-object.ts";
import { type Oid, oidFromBytes } from "../../object/oid.ts";
import type { ObjectType } from "../../odb/object-database.ts";
import type { Repository } from "../../repository.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { unquotedLine } from "../../text/quote-path.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

const TYPES: readonly string[] = ["commit", "tree", "blob", "tag"];

export const hashObject = defineCommand({
  name: "hash-object",
  usage: [
    "git hash-object [-t <type>] [-w] [--path=<file> | --no-filters]\n                       [--stdin [--literally]] [--] <file>...",
    "git hash-object [-t <type>] [-w] --stdin-paths [--no-filters]",
  ],
  flags: {
    type: { short: "-t", value: "string", arg: "<type>", help: "object type" },
    write: { short: "-w", help: "write the object into the object database" },
    stdin: { long: "--stdin", value: "count", help: "read the object from stdin" },
    stdinPaths: { long: "--stdin-paths", help: "read file names from stdin" },
    noFilters: { long: "--no-filters", help: "store file as is without filters" },
    literally: {
      long: "--literally",

      help: "just hash any random garbage to create corrupt objects for debugging Git",
    },
    path: { long: "--path", value: "string", arg: "<file>", help: "process file as it were from this path" },
  },
  async run(context, { flags, args, afterDashes }) {
    const files = [...args, ...(afterDashes ?? [])];
    const wrong = misuse(flags, files);
    if (wrong !== null) throw new GitError("EUSAGE", wrong, { hint: usageText(hashObject) });
    const repo = await repositoryIfAny(context, flags.write === true);
    const type = typeof flags.type === "string" ? flags.type : "blob";
    if (!TYPES.includes(type)) {
      if (flags.literally) throw new GitError("EUNSUPPORTED", `objects of type "${type}" are not made here`);
      throw new GitError("EINVAL", `invalid object type "${type}"`);
    }
    const conversion = repo === null || flags.noFilters || type !== "blob" ? null : await openConversion(repo);
    const hasher: Hasher = {
      context,
      repo,
      type: type as ObjectType,
      writes: flags.write === true,
      checks: !flags.literally,
      conversion,
      path: typeof flags.path === "string" ? flags.path : null,
    };
    if (flags.stdin) context.out(`${await hashBytes(hasher, await context.stdin.bytes(), hasher.path)}\n`);
    for (const path of files) context.out(`${await hashFile(hasher, path)}\n`);
    if (flags.stdinPaths)
      for await (const path of context.stdin.textLines())
        context.out(`${await hashFile(hasher, unquotedLine(path))}\n`);
    return 0;
  },
});

interface Hasher {
  readonly context: CommandContext;
  readonly repo: Repository | null;
  readonly type: ObjectType;
  readonly writes: boolean;
  readonly checks: boolean;
  readonly conversion: Conversion | null;
  readonly path: string | null;
}

function misuse(
  flags: { stdinPaths?: boolean; stdin?: number; path?: string | false; noFilters?: boolean },
  files: readonly string[],
): string | null {
  const { stdinPaths, stdin = 0, path, noFilters } = flags;
  if (stdinPaths && stdin > 0) return "Can't use --stdin-paths with --stdin";
  if (stdinPaths && files.length > 0) return "Can't specify files with --stdin-paths";
  if (stdinPaths && path) return "Can't use --stdin-paths with --path";
  if (stdin > 1) return "Multiple --stdin arguments are not supported";
  if (path && noFilters) return "Can't use --path with --no-filters";
  return null;
}

/** Outside a repository, objects can be hashed but not written. */
async function repositoryIfAny(context: CommandContext, writes: boolean): Promise<Repository | null> {
  try {
    return await context.repository();
  } catch (error) {
    if (!writes && error instanceof GitError && error.code === "ENOREPO") return null;
    throw error;
  }
}

async function hashFile(hasher: Hasher, path: string): Promise<Oid> {
  const { context, repo, conversion, type } = hasher;
  const absolute = absolutePath(path, context.cwd);
  const { fs, limits = {} } = context.host;
  const stat = await fs.stat(absolute).catch(() => null);
  if (stat === null) throw new GitError("ENOTFOUND", `could not open '${path}' for reading: No such file or directory`);
  if (stat.type === "dir") throw new GitError("EINVAL", `Unable to hash ${path}`);
  const displayed = hasher.path ?? path;
  await conversion?.prepare([inRepository(hasher, displayed)]);
  const large = stat.size > (limits.wholeObject ?? repo?.limits.wholeObject ?? 16 * 1024 * 1024) / 4;
  const streams = large && type === "blob" && (conversion?.isIdentity(inRepository(hasher, displayed)) ?? true);
  if (!streams) return hashBytes(hasher, await fs.readFile(absolute), displayed);
  const content = pieces(await fs.readStream(absolute));
  return hasher.writes && repo !== null ? repo.odb.writeStream(stat.size, content) : hashStream(stat.size, content);
}

async function hashBytes(hasher: Hasher, bytes: Uint8Array, path: string | null): Promise<Oid> {
  const { type, conversion, repo, writes, checks, context } = hasher;
  let body = bytes;
  if (conversion !== null && path !== null) {
    const name = inRepository(hasher, path);
    await conversion.prepare([name]);
    body = await conversion.toGit(name, bytes, writes ? { warn: (text) => context.err(`${text}\n`) } : {});
  }
  if (checks) checkObject(type, body);
  return writes && repo !== null ? repo.odb.write(type, body) : nameOf(type, body);
}

/** The path for attributes: relative to the top of the work tree. */
function inRepository({ repo }: Hasher, path: string): string {
  return path.startsWith("/") ? path.slice((repo?.workTree ?? "").length + 1) : `${repo?.prefix ?? ""}${path}`;
}

async function hashStream(size: number, content: AsyncIterable<Uint8Array>): Promise<Oid> {
  const hash = createStreamingHash();
  hash.update(objectHeader("blob", size));
  for await (const piece of content) hash.update(piece);
  return oidFromBytes(hash.digest());
}

async function* pieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
    yield value as Uint8Array;
}
