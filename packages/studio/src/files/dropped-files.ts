/** Dropped or chosen files, with folders walked: each file with its path relative to the drop. */
export interface DroppedFile {
  path: string;
  file: File;
}

export async function droppedFiles(data: DataTransfer): Promise<DroppedFile[]> {
  // Entries must be taken before the first await: the drop's data is cleared with the event.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return chosenFiles(data.files);
  return (await Promise.all(entries.map((entry) => walk(entry, "")))).flat();
}

export function chosenFiles(files: FileList): DroppedFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function walk(entry: FileSystemEntry, above: string): Promise<DroppedFile[]> {
  const path = above === "" ? entry.name : `${above}/${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: DroppedFile[] = [];
  for (;;) {
    // A reader returns a hundred at a time, and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (batch.length === 0) return found;
    for (const child of batch) found.push(...(await walk(child, path)));
  }
}
