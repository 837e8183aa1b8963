/** The progress of an upload. */
import { uploading } from "./upload.ts";

export function UploadLine() {
  if (uploading.value === null) return null;
  const { done, total } = uploading.value;
  return (
    <div class="upload-progress" role="status">
      <label>
        Uploading {done} of {total}
        <progress value={done} max={total} />
      </label>
    </div>
  );
}
