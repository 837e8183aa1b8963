/** Pages that the cache drops are freed, but a reader that just received one still reads its bytes. */
import type { FileSystem } from "@workspace/vfs";
import { describe, expect, it } from "vitest";
import { MemoryBudget } from "../memory/memory-budget.ts";
import { PAGE, PageCache, PagedFile } from "./paged-file.ts";

const PAGES = 200;

const CACHED = 4;

/** A file whose pages are filled with their numbers, and every page that was read of it. */
function open(): { file: PagedFile; pages: Uint8Array<ArrayBuffer>[] } {
  const pages: Uint8Array<ArrayBuffer>[] = [];
  const readRange = async (_path: string, start: number, length: number) => {
    const page = new Uint8Array(length).fill(start / PAGE);
    pages.push(page);
    return page;
  };
  const cache = new PageCache(new MemoryBudget(100 * 1024 * 1024), CACHED * PAGE);
  return { file: new PagedFile({ readRange } as unknown as FileSystem, "/file", PAGES * PAGE, cache), pages };
}

describe("PagedFile.at", () => {
  it.each([1, 5, 20, 100])("gives %i readers at once the bytes of their own pages", async (readers) => {
    const { file, pages } = open();
    const read = async (reader: number) => {
      for (let i = 0; i < 20; i++) {
        const page = (reader * 7 + i * 13) % PAGES;
        const bytes = file.peek(page * PAGE) ?? (await file.at(page * PAGE));
        expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([PAGE, page, page]);
      }
    };
    await Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(pages.filter(({ buffer }) => !buffer.detached).length).toBeLessThanOrEqual(CACHED);
  });
});
