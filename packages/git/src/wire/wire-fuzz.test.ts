/**
 * Damaged server responses, in pieces of any size: a GitError or a result, never a hang, another kind of error, or a partial
 * result.
 */
import { expect, it } from "vitest";
import { corruptBytes, FUZZ_SEED, inPieces, random } from "../../test/corrupt-bytes.ts";
import { GitError } from "../errors.ts";
import { defaultGitLimits } from "../limits.ts";
import { concat, decode, encode } from "../text/bytes.ts";
import { readAdvertisement, readLsRefs } from "./advertisement.ts";
import { Capabilities } from "./capabilities.ts";
import { fetchV0 } from "./fetch-v0.ts";
import { fetchV2 } from "./fetch-v2.ts";
import type { Negotiation } from "./negotiation.ts";
import { DELIM, FLUSH, PacketReader, pktLine } from "./pkt-line.ts";
import { sideband } from "./sideband.ts";

const ROUNDS = 3000;
const [A, B] = ["a".repeat(40), "b".repeat(40)];
const REQUEST = { wants: [A], shallow: [], thinPack: true, includeTag: true } as never;
const nothingToOffer = () => ({ next: async () => [], common: new Set() }) as unknown as Negotiation;

const band = (number: number, text: string) => pktLine(Uint8Array.from([number, ...encode(text)]));
const bands = concat([band(2, "Counting objects: 1\r"), band(1, "PACK"), pktLine(""), band(1, "rest"), FLUSH]);

async function gathered(parts: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of parts) text += decode(part);
  return text;
}

/** Complete server responses, and their readers. */
const answers: Record<string, { said: Uint8Array; read: (source: AsyncIterable<Uint8Array>) => Promise<unknown> }> = {
  "an advertisement of protocol 0": {
    said: concat([
      pktLine("# service=git-upload-pack\n"),
      FLUSH,
      pktLine(`${A} HEAD\0multi_ack side-band-64k symref=HEAD:refs/heads/main agent=git/2.39.5\n`),
      pktLine(`${A} refs/heads/main\n`),
      pktLine(`${B} refs/tags/v1\n`),
      pktLine(`${A} refs/tags/v1^{}\n`),
      pktLine(`shallow ${B}\n`),
      FLUSH,
    ]),
    read: async (source) => {
      const { refs, shallow, version } = await readAdvertisement(
        new PacketReader(source),
        "git-upload-pack",
        defaultGitLimits,
      );
      return { refs, shallow, version };
    },
  },
  "an advertisement of protocol 2": {
    said: concat([pktLine("version 2\n"), pktLine("ls-refs=unborn\n"), pktLine("fetch=shallow filter\n"), FLUSH]),
    read: async (source) => {
      const { version, capabilities } = await readAdvertisement(
        new PacketReader(source),
        "git-upload-pack",
        defaultGitLimits,
      );
      return { version, filters: capabilities.hasFeature("fetch", "filter") };
    },
  },
  "the refs of protocol 2": {
    said: concat([
      pktLine(`${A} HEAD symref-target:refs/heads/main\n`),
      pktLine(`${B} refs/tags/v1 peeled:${A}\n`),
      pktLine("unborn refs/heads/new symref-target:refs/heads/new\n"),
      FLUSH,
    ]),
    read: (source) => readLsRefs(new PacketReader(source), defaultGitLimits),
  },
  "the bands of an answer": {
    said: bands,
    read: (source) => gathered(sideband(new PacketReader(source), { limit: 1000 })),
  },
  "a fetch of protocol 2": {
    said: concat([pktLine("shallow-info\n"), pktLine(`shallow ${B}\n`), DELIM, pktLine("packfile\n"), bands]),
    read: async (source) => {
      const capabilities = new Capabilities(["fetch=shallow filter"]);
      const { boundary, pack } = await fetchV2(async () => source, capabilities, REQUEST, nothingToOffer(), {
        limit: 99,
      });
      return { boundary, pack: await gathered(pack) };
    },
  },
  "a fetch of protocol 0": {
    said: concat([pktLine("NAK\n"), bands]),
    read: async (source) => {
      const capabilities = new Capabilities(["side-band-64k", "ofs-delta"]);
      const reported = { capabilities, shallow: [] };
      const { pack } = await fetchV0(async () => source, reported, REQUEST, nothingToOffer(), { limit: 99 });
      return gathered(pack);
    },
  },
};

it.each(Object.keys(answers))(`%s, damaged (seed ${FUZZ_SEED})`, async (name) => {
  const { said, read } = answers[name] as (typeof answers)[string];
  const next = random(FUZZ_SEED);
  const whole = await read(inPieces(said, next));
  for (let round = 0; round < 50; round++) expect(await read(inPieces(said, next))).toEqual(whole);
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    try {
      await read(inPieces(corruptBytes(said, next), next));
    } catch (error) {
      refused++;
      if (!(error instanceof GitError)) throw new Error(`round ${round}`, { cause: error });
    }
  }
  expect(refused).toBeGreaterThan(ROUNDS / 3);
});

it.each(Object.keys(answers))("%s, cut anywhere, is never taken for the whole", async (name) => {
  const { said, read } = answers[name] as (typeof answers)[string];
  for (let end = 0; end < said.length; end++) {
    const cut = read(inPieces(said.subarray(0, end), random(end)));
    await expect(cut, `after ${end} bytes`).rejects.toBeInstanceOf(GitError);
  }
});
