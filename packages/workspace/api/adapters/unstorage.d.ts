// Made by `npm run api:generate`. Do not edit it.

import {
  FileSystem,
} from "../index.d.ts";

export interface UnstorageDriver {
  name: string;
  flags: {
    maxDepth: true;
  };
  options: UnstorageOptions;
  getInstance(): FileSystem;
  hasItem(key: string): Promise<boolean>;
  getItem(key: string): Promise<string | null>;
  getItemRaw(key: string): Promise<Uint8Array | null>;
  getItems(items: {
    key: string;
  }[]): Promise<{
    key: string;
    value: string | null;
  }[]>;
  setItem(key: string, value: string): Promise<void>;
  setItemRaw(key: string, value: unknown): Promise<void>;
  setItems(items: {
    key: string;
    value: string;
  }[]): Promise<void>;
  removeItem(key: string): Promise<void>;
  getMeta(key: string): Promise<UnstorageMeta | null>;
  getKeys(base?: string, options?: {
    maxDepth?: number;
  }): Promise<string[]>;
  clear(base?: string): Promise<void>;
  watch(callback: (event: "update" | "remove", key: string) => unknown): Promise<() => Promise<void>>;
}

export type UnstorageMeta = {
  atime: Date;
  mtime: Date;
  ctime: Date;
  birthtime: Date;
  size: number;
};

export interface UnstorageOptions {
  base: string;
}

export function asUnstorageDriver(fs: FileSystem, { base: given }: UnstorageOptions): UnstorageDriver;

export {};
