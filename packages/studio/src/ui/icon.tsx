/** The studio's icons: strokes of one weight on a 16 grid, in the color of the surrounding text. */
const PATHS = {
  files: "M2.5 4.5v8h11v-6.5h-6l-1.5-2h-3z",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3",
  terminal: "M3 4.5 6.5 8 3 11.5M8 12h5",
  git: "M5 3.2a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM5 6.2v6.6M11 5.2a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM11 8.2c0 2.2-6 1.4-6 3.4",
  activity: "M8 2.5v11M8 4.2h3.5M8 8H4.5M8 11.8h3.5",
  dashboard: "M3 13V8.5M6.4 13V4M9.7 13V6.5M13 13V3",
  folder: "M2.5 4.5v8h11v-6.5h-6l-1.5-2h-3z",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  link: "M6.5 9.5l3-3M7.5 5l1.2-1.2a2.4 2.4 0 0 1 3.4 3.4L11 8.4M8.5 11l-1.2 1.2a2.4 2.4 0 0 1-3.4-3.4L5 7.6",
  right: "M6 4l4 4-4 4",
  down: "M4 6l4 4 4-4",
  left: "M10 4 6 8l4 4",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  check: "M3 8.5 6.5 12 13 4.5",
  download: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10",
  upload: "M8 11V3M4.8 6 8 2.8 11.2 6M3 13.2h10",
  refresh: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
  undo: "M5.5 3 2.5 6l3 3M2.5 6h6.5a4 4 0 0 1 0 8H6",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  stop: "M4.5 4.5h7v7h-7z",
  play: "M5 3.5 12 8l-7 4.5z",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1",
  branch: "M4.5 2.8v10.4M4.5 10.5c0-3 7-1.8 7-5M11.5 2.8v2.7",
  push: "M8 13V5M4.5 8 8 4.5 11.5 8M3 2.5h10",
  pull: "M8 3v8M4.5 8 8 11.5 11.5 8M3 13.5h10",
  eye: "M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z",
  trash: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 9h5.8l.6-9",
  pencil: "M3 13l.6-3L11 2.6l2.4 2.4L6 12.4z",
  palette: "M2.8 4.2 5 6.2 2.8 8.2M7.5 4.2h6M7.5 8h6M2.8 11.8h10.7",
  port: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM1.8 8h12.4M8 1.8c3.6 3.6 3.6 8.8 0 12.4-3.6-3.6-3.6-8.8 0-12.4z",
  copy: "M5.5 5.5h7.5V13H5.5zM3 10.5V3h7.5",
  tool: "M8 1.8l1.6 4.6L14.2 8l-4.6 1.6L8 14.2l-1.6-4.6L1.8 8l4.6-1.6z",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.2 1.6",
  out: "M9.5 5V3h-7v10h7v-2M6.5 8h7M11 5.5 13.5 8 11 10.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "more" ? 2.4 : 1.4}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
