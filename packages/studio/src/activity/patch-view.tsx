/** A unified diff, colored, with line numbers. */
import { patchLines } from "./patch-lines.ts";

const MAX = 2000;

export function PatchView({ patch, path }: { patch: string; path: string }) {
  const lines = patchLines(patch);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="patch code" tabIndex={0} aria-label={`Changed lines of ${path}`}>
      <table>
        <tbody>
          {lines.slice(0, MAX).map((line, i) => (
            <tr key={i} class={`patch-${line.kind}`}>
              <td class="patch-number">{line.before}</td>
              <td class="patch-number">{line.after}</td>
              <td class="patch-sign">{line.kind === "added" ? "+" : line.kind === "removed" ? "−" : ""}</td>
              <td class="patch-text">{line.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > MAX && <p class="faint">{lines.length - MAX} more lines.</p>}
    </section>
  );
}
