import { describe } from "vitest";
import { bareStore, fileStoreContract } from "../../test/file-store-contract.ts";
import { InMemoryFileStore } from "./in-memory-file-store.ts";

describe("InMemoryFileStore", () => fileStoreContract((body) => body(new InMemoryFileStore(), "/workspace")));
describe("a store with four methods", () => fileStoreContract((body) => body(bareStore(), "/workspace")));
