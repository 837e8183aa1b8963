/** A subject of the extensions' contract: a file system that can also act for another actor. */
import type { FileSystem, Version } from "@workspace/vfs";
import { it } from "vitest";
import { runOn, type Subject } from "./subject.ts";

export interface OurSubject extends Subject {
  /** The same file system for another actor. */
  as(identity: { actor?: string; callId?: string }): FileSystem;
}

export type MakeOurs = () => Promise<OurSubject>;

/** `it`, with a fresh subject for each test. */
export function ourTestsOn(make: MakeOurs): (title: string, check: (subject: OurSubject) => Promise<void>) => void {
  return (title, check) => it(title, () => runOn(make, (subject) => check(subject as OurSubject)));
}

/** The cursor of the last change. */
export async function head(fs: FileSystem): Promise<Version> {
  let page = await fs.changes();
  while (page.more) page = await fs.changes({ since: page.cursor });
  return page.cursor;
}
