/** A field to choose one local file, with its label and accepted types. */
import { useId } from "preact/hooks";
import "./field.css";

interface FileFieldProps {
  label: string;
  /** In the syntax of the browser's `accept`. */
  accept: string;
  hint: string;
  onChoose: (file: File | null) => void;
}

export function FileField({ label, accept, hint, onChoose }: FileFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-more`}
        onChange={(event) => onChoose(event.currentTarget.files?.[0] ?? null)}
      />
      <p id={`${id}-more`} class="field-hint">
        {hint}
      </p>
    </div>
  );
}
