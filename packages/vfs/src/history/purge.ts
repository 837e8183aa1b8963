/**
 * `history.purge`: takes the bytes of every past state of what was at or under a path out of the database, under whatever name the
 * state was kept. The entries stay, and say that their content is gone (EGONE); what is there now stays as it is. A copy elsewhere
 * is another file: it is named in the answer, and goes with a purge of its own path.
 */
import { type Inode, isDirectory, isFile, PURGED } from "../inode.ts";
import { collectStep, release } from "../maintain/collect-step.ts";
import { joinPath } from "../path.ts";
import { forgetDirectory } from "../search/index/directory.ts";
import { selectShared } from "../store/collect.ts";
import { selectInodes } from "../store/inodes.ts";
import { selectNamesOf } from "../store/names.ts";
import {
  blankContents,
  cutContents,
  purgeInodes,
  purgeStates,
  selectEverAt,
  selectHolders,
  selectPastContents,
} from "../store/purge.ts";
import { deleteIndex } from "../store/search-index.ts";
import type { Volume } from "../volume.ts";
import type { Purged } from "./history.ts";
import { plainPath } from "./log.ts";
import { Places } from "./places.ts";

export function purge(volume: Volume, given: string): Purged {
  const path = plainPath(given, "purge");
  const { db } = volume.open();
  const before = db.bytes;
  const result = db.atomically(() => purgeAll(volume, path));
  volume.forgetPast();
  volume.cache.drop();
  forgetDirectory(volume);
  // Large contents are freed row by row: not at some later time, but now.
  const endless = {
    days: Number.POSITIVE_INFINITY,
    entries: Number.POSITIVE_INFINITY,
    bytes: Number.POSITIVE_INFINITY,
  };
  while (collectStep(volume, endless));
  return { ...result, bytes: Math.max(0, before - db.bytes) };
}

function purgeAll(volume: Volume, path: string): Omit<Purged, "bytes"> {
  const { db } = volume;
  const inos = selectEverAt(db, path, volume.headRev);
  const json = JSON.stringify(inos);
  const inodes = selectInodes(db, inos);
  const lost = unreachable(volume, inodes);
  const nameless = inodes.filter((inode) => lost.has(inode.ino));
  const named = inodes.filter((inode) => !lost.has(inode.ino) && isFile(inode));
  const contents = selectPastContents(db, json);
  for (const { content } of nameless) if (content !== 0 && content !== PURGED) contents.push(content);
  const shared = new Set(selectShared(db, contents));
  const present = new Set(named.map(({ content }) => content));
  const rows = contents.filter((content) => content > 0 && !shared.has(content) && !present.has(content));
  if (rows.length > 0) blankContents(db, rows);
  const states = purgeStates(db, json) + purgeInodes(db, [...lost]);
  release(volume, contents);
  cutPresent(volume, named);
  // Its bits tell something of the texts they were made from.
  deleteIndex(db);
  const own = new Set(inos);
  const held = selectHolders(db, contents).filter((ino) => !own.has(ino));
  return { states, shared: pathsOf(volume, held) };
}

/** A row keeps what its file was cut off: nobody else has a part in it unless it is shared. */
function cutPresent({ db }: Volume, files: readonly Inode[]): void {
  const single = files.filter(({ content }) => content > 0 && content !== PURGED);
  const shared = new Set(
    selectShared(
      db,
      single.map(({ content }) => content),
    ),
  );
  const own = single.filter(({ content }) => !shared.has(content)).map(({ content, size }) => [content, size] as const);
  if (own.length > 0) cutContents(db, own);
}

/** What has no name, and files that have one to which no way leads, in a removed tree. */
function unreachable({ db }: Volume, inodes: readonly Inode[]): Set<number> {
  const lost = new Set(inodes.filter((inode) => !isDirectory(inode)).map(({ ino }) => ino));
  const names = selectNamesOf(db, [...lost]);
  const places = Places.load(
    db,
    names.map(({ parent }) => parent),
  );
  for (const { ino, parent } of names) if (places.path(parent) !== null) lost.delete(ino);
  return lost;
}

function pathsOf({ db }: Volume, inos: readonly number[]): string[] {
  const names = selectNamesOf(db, inos);
  const places = Places.load(
    db,
    names.map(({ parent }) => parent),
  );
  return names.flatMap(({ parent, name }) => {
    const above = places.path(parent);
    return above === null ? [] : [joinPath(above, name)];
  });
}
