/** Opens the browser's file dialog on demand. */
import { useCallback } from "preact/hooks";
import { chosenFiles, type DroppedFile } from "./dropped-files.ts";

export function useFileChooser(): (onFiles: (files: DroppedFile[]) => void) => void {
  return useCallback((onFiles) => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.onchange = () => input.files !== null && onFiles(chosenFiles(input.files));
    input.click();
  }, []);
}
