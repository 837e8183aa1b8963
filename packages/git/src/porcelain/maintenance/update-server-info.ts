/** The two files that git keeps for servers without git support: the lists of packs and refs. */
import type { ObjectSource } from "../../odb/git-object-database.ts";
import { peel } from "../../odb/read-object.ts";
import { asGitDatabase } from "../../odb/write-pack.ts";
import type { Repository } from "../../repository.ts";

export async function updateServerInfo(repo: Repository): Promise<void> {
  const own = (await asGitDatabase(repo.odb).sources())[0] as ObjectSource;
  const packs = (await own.packs.packs()).map(({ file }) => `P ${file.path.slice(own.packs.directory.length + 1)}\n`);
  const refs: string[] = [];
  for (const { name, oid } of await repo.refs.list("refs/")) {
    refs.push(`${oid}\t${name}\n`);
    const header = await repo.odb.header(oid);
    if (header?.type === "tag") refs.push(`${await peel(repo.odb, oid)}\t${name}^{}\n`);
  }
  await repo.fs.writeMany([
    { path: `${own.directory}/info/packs`, content: `${packs.join("")}\n` },
    { path: `${repo.commonDir ?? repo.gitDir}/info/refs`, content: refs.join("") },
  ]);
}
