/**
 * Uploads files into a folder, a few at a time, as one call that one undo reverts. Nothing is replaced without consent: existing
 * files are returned to the caller, which may send them again with replacement.
 */
import { signal } from "@preact/signals";
import { asApiError } from "../api/api-error.ts";
import { writeFile } from "../api/files.ts";
import { join } from "../api/path.ts";
import type { DroppedFile } from "./dropped-files.ts";

export interface Upload {
  total: number;
  done: number;
}

export interface UploadResult {
  callId: string;
  written: number;
  inTheWay: DroppedFile[];
  failed: { path: string; message: string }[];
}

/** The current upload. */
export const uploading = signal<Upload | null>(null);
const AT_ONCE = 4;

export async function upload(
  workspace: string,
  folder: string,
  files: readonly DroppedFile[],
  { replace = false, callId = `upload-${crypto.randomUUID()}` } = {},
): Promise<UploadResult> {
  const result: UploadResult = { callId, written: 0, inTheWay: [], failed: [] };
  const queue = [...files];
  uploading.value = { total: files.length, done: 0 };
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await uploadOne(workspace, folder, next, replace, result);
      uploading.value = { total: files.length, done: (uploading.value?.done ?? 0) + 1 };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  uploading.value = null;
  return result;
}

async function uploadOne(workspace: string, folder: string, one: DroppedFile, replace: boolean, result: UploadResult) {
  try {
    const options = { ifVersion: replace ? undefined : null, callId: result.callId };
    await writeFile(workspace, join(folder, one.path), one.file, options);
    result.written++;
  } catch (failure) {
    const error = asApiError(failure);
    if (error.status === 412) result.inTheWay.push(one);
    else result.failed.push({ path: one.path, message: error.message });
  }
}
