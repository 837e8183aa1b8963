/**
 * A progress line on a terminal's stderr, redrawn in place: amount, rate, remaining time. Without a terminal, or with --quiet or
 * --json, it draws nothing.
 */
import type { CommandContext } from "../command.ts";
import { sizeText } from "./sizes.ts";

export interface Progress {
  /** Adds transferred bytes. */
  moved(bytes: number): void;
  fileDone(): void;
  /** Draws the final state, and ends the line. */
  end(): Promise<void>;
}

export interface Total {
  readonly files: number;
  readonly bytes: number;
}

const REDRAW_MS = 100;
const MIN_BAR = 10;
const MAX_BAR = 30;

export function progressBar({ io, json, quiet }: CommandContext, total: Total): Progress {
  let bytes = 0;
  let files = 0;
  if (!io.terminal.stderr || json || quiet) {
    return { moved: () => {}, fileDone: () => {}, end: async () => {} };
  }
  const start = io.now();
  let drawn = 0;
  const draw = (force: boolean) => {
    const now = io.now();
    if (!force && now - drawn < REDRAW_MS) return Promise.resolve();
    drawn = now;
    return io.err(
      `\r\u001b[K${progressLine({ total, bytes, files, elapsedMs: now - start, columns: io.terminal.columns })}`,
    );
  };
  return {
    moved(more) {
      bytes += more;
      void draw(false);
    },
    fileDone() {
      files++;
      void draw(false);
    },
    async end() {
      await draw(true);
      await io.err("\n");
    },
  };
}

export interface ProgressState {
  readonly total: Total;
  readonly bytes: number;
  readonly files: number;
  readonly elapsedMs: number;
  readonly columns: number;
}

/** `[#####-----]  50%  1.0 MiB of 2.0 MiB  3/6 files  512 KiB/s  0:02` */
export function progressLine({ total, bytes, files, elapsedMs, columns }: ProgressState): string {
  const share = total.bytes === 0 ? (total.files === 0 ? 1 : files / total.files) : Math.min(1, bytes / total.bytes);
  const speed = elapsedMs === 0 ? 0 : (bytes * 1000) / elapsedMs;
  const left = speed === 0 ? "" : `  ${clock((total.bytes - bytes) / speed)}`;
  const words = `${String(Math.floor(share * 100)).padStart(3)}%  ${sizeText(bytes)} of ${sizeText(total.bytes)}  ${files}/${total.files} files  ${sizeText(Math.round(speed))}/s${left}`;
  const width = Math.min(MAX_BAR, columns - words.length - 5);
  if (width < MIN_BAR) return words.slice(0, Math.max(0, columns - 1));
  const full = Math.round(share * width);
  return `[${"#".repeat(full)}${"-".repeat(width - full)}] ${words}`;
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
