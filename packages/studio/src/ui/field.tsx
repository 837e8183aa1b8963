/** A text field with its label and, if invalid, the reason. */
import { useEffect, useId, useRef } from "preact/hooks";
import "./field.css";

interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  type?: "text" | "password" | "url" | "search" | "number";
  placeholder?: string;
  hint?: string;
  error?: string;
  focus?: boolean;
  /** The label is for screen readers only. */
  bare?: boolean;
  code?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function Field(props: FieldProps) {
  const { label, value, onInput, type = "text", error, hint, focus = false, bare = false } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) input.current?.select();
  }, [focus]);
  return (
    <div class="field">
      <label for={id} class={bare ? "visually-hidden" : ""}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        class={props.code ? "code" : ""}
        type={type as "text"}
        value={value}
        placeholder={props.placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-more` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={props.onKeyDown}
      />
      {(error || hint) && (
        <p id={`${id}-more`} class={error ? "field-error" : "field-hint"} role={error ? "alert" : undefined}>
          {error || hint}
        </p>
      )}
    </div>
  );
}
