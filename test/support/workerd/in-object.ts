/** Runs a test body inside a fresh bare Durable Object, with a volume and a file system on its storage. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createFileSystem, type FileSystem, openVolume, type VolumeOptions, type VolumeStore } from "@workspace/vfs";

export interface Inside {
  fs: FileSystem;
  volume: VolumeStore;
  storage: DurableObjectStorage;
}

let created = 0;

export function inObject<T>(
  body: (inside: Inside) => Promise<T>,
  options: VolumeOptions = {},
  name = `object ${created++}`,
): Promise<T> {
  return runInDurableObject(env.BARE.getByName(name), async (_object, { storage }) => {
    const volume = openVolume(storage, options);
    return body({ volume, fs: createFileSystem(volume), storage });
  });
}
