/** Messages about an autostash: printed on stdout when it is created, on stderr when it ends. */
import type { Oid } from "../object/oid.ts";
import type { AutostashEnd } from "../porcelain/stash/autostash.ts";
import type { Repository } from "../repository.ts";

export async function autostashCreatedText({ odb }: Repository, oid: Oid | null): Promise<string> {
  return oid === null ? "" : `Created autostash: ${await odb.abbreviate(oid)}\n`;
}

export function autostashEndText(end: AutostashEnd): string {
  if (end === null) return "";
  if (end === "applied") return "Applied autostash.\n";
  const why =
    end === "saved" ? "Autostash exists; creating a new stash entry." : "Applying autostash resulted in conflicts.";
  return `${why}\nYour changes are safe in the stash.\nYou can run "git stash pop" or "git stash drop" at any time.\n`;
}
