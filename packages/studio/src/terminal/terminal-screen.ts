/** An output-only xterm in the studio's colors, sized to its container: typing goes into the input line below it. */
import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";

export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #observer: ResizeObserver;

  constructor(parent: HTMLElement) {
    this.#terminal = new Terminal({
      convertEol: true,
      disableStdin: true,
      cursorBlink: false,
      cursorInactiveStyle: "none",
      fontFamily: getComputedStyle(parent).getPropertyValue("--font-code"),
      fontSize: 13,
      lineHeight: 1.25,
      minimumContrastRatio: 4.5,
      scrollback: 10_000,
      screenReaderMode: true,
      theme: colors(),
    });
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.open(parent);
    this.#fit.fit();
    this.#observer = new ResizeObserver(() => this.#fit.fit());
    this.#observer.observe(parent);
  }

  write(data: string | Uint8Array): void {
    this.#terminal.write(data);
  }

  clear(): void {
    this.#terminal.reset();
  }

  selection(): string {
    return this.#terminal.getSelection();
  }

  recolor(): void {
    this.#terminal.options.theme = colors();
  }

  /** The screen's contents as text. */
  text(): string {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? "").join("\n");
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#terminal.dispose();
  }
}

function colors(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    background: token("surface"),
    foreground: token("ink"),
    cursor: token("focus"),
    selectionBackground: "#ff8a4c55",
    black: token("ink-faint"),
    red: token("bad"),
    green: token("good"),
    yellow: token("warn"),
    blue: token("info"),
    magenta: token("violet"),
    cyan: token("code-type"),
    white: token("ink-soft"),
    brightBlack: token("ink-faint"),
    brightRed: token("bad"),
    brightGreen: token("good"),
    brightYellow: token("warn"),
    brightBlue: token("info"),
    brightMagenta: token("violet"),
    brightCyan: token("code-type"),
    brightWhite: token("ink"),
  };
}
