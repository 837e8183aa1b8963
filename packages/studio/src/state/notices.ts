/** One-line notices at the bottom of the page, for a few seconds; errors stay until dismissed. */
import { signal } from "@preact/signals";
import { asApiError } from "../api/api-error.ts";

export interface Notice {
  id: number;
  kind: "good" | "bad" | "plain";
  text: string;
  hint?: string;
  action?: { label: string; run: () => void };
}

export const notices = signal<readonly Notice[]>([]);
const STAYS_MS = 5000;
let last = 0;

export function notify(notice: Omit<Notice, "id">): number {
  const id = ++last;
  notices.value = [...notices.value.slice(-3), { ...notice, id }];
  if (notice.kind !== "bad") setTimeout(() => dismiss(id), notice.action ? STAYS_MS * 2 : STAYS_MS);
  return id;
}

export function notifyError(what: string, error: unknown): void {
  const { message, hint } = asApiError(error);
  notify({ kind: "bad", text: `${what}: ${message}`, hint });
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
