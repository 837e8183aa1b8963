/** Lists a workspace path page by page, in the order of `tree`: directories before their contents. */
import type { Entry, StatAnswer, TreeResponse } from "@workspace/worker/api";
import type { Api } from "../client/api.ts";
import { retry } from "../client/retry.ts";

const PAGE = 1000;
const ALL_LEVELS = 1000;

export async function* remoteTree(api: Api, path: string, depth: number = ALL_LEVELS): AsyncGenerator<Entry> {
  let cursor: string | undefined;
  do {
    const nextPage = (): Promise<TreeResponse> => api.json("tree", { query: { path, depth, limit: PAGE, cursor } });
    // A server that never responded is reported at once.
    const page = cursor === undefined ? await nextPage() : await retry(nextPage);
    yield* page.entries;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

export function remoteStat(api: Api, path: string): Promise<StatAnswer> {
  return api.json<StatAnswer>("stat", { query: { path } });
}
