/** Dates against real git: `rev-parse --since` is its approxidate, `var` its exact one, `--date` its formats. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approximateSeconds } from "./approxidate.ts";
import { formatDate, parseDateMode } from "./format-date.ts";
import { localTime, zoneMinutes, zoneText } from "./local-time.ts";
import { parseDate } from "./parse-date.ts";

const NOW = 1_251_660_000; // Sunday, 2009-08-30 19:20 UTC
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "approxidate-"));
  git({}, "init", "-q");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(env: Record<string, string>, ...argv: string[]) {
  const base = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    LC_ALL: "C",
    TZ: "UTC",
    GIT_TEST_DATE_NOW: String(NOW),
  };
  const { status, stdout } = spawnSync("git", argv, { cwd: folder, env: { ...base, ...env }, encoding: "utf8" });
  return { status, stdout };
}

const timeIn = (zone: string) => localTime({ now: () => NOW * 1000 }, { TZ: zone });

const SAID = [
  "now",
  "yesterday",
  "3 days ago",
  "2 weeks ago",
  "last monday",
  "monday",
  "noon",
  "midnight",
  "tea",
  "noon yesterday",
  "3 months ago",
  "one year ago",
  "two.days.ago",
  "10 hours",
  "Jan 5",
  "January 5th noon",
  "6AM",
  "6pm",
  "10:30",
  "12:34:56 yesterday",
  "2008-02-03",
  "2008/2/3",
  "3.2.2008",
  "1/2/2009",
  "15/1/2009",
  "never",
  "last friday 3pm",
  "1 week 2 days ago",
  "",
  "frob",
  "5 frobs ago",
  "2009",
  "31.12",
  "Dec 25 2008",
  "tuesday 3 weeks ago",
  "1.year.2.months.ago",
  "0 days",
  "@1234567890",
  "1234567890",
  "2009-08-01T10:20:30Z",
  "2009-08-01T10:20+0200",
  "20090801T102030",
  "Thu, 7 Apr 2005 15:14:13 -0700",
  "next week",
  "Mon Jan 5 10:00:00 2009",
];

describe("approxidate", () => {
  it.each(["UTC", "EST5", "America/New_York", "Asia/Kolkata"])("is git's in %s", (zone) => {
    const theirs = git({ TZ: zone }, "rev-parse", ...SAID.map((text) => `--since=${text}`)).stdout;
    const ours = SAID.map((text) => `--max-age=${approximateSeconds(text, timeIn(zone))}`);
    expect(ours).toEqual(theirs.trimEnd().split("\n"));
  });

  it("is git's for words thrown together", () => {
    const word = fc.constantFrom(
      "last",
      "3",
      "12",
      "days",
      "ago",
      "monday",
      "jan",
      "noon",
      "pm",
      "2005",
      "10:20",
      "5/6",
      "week",
      "months",
      "yesterday",
      "-",
      ".",
      "one",
      "08",
      "year",
    );
    const texts = fc.sample(
      fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" ")),
      { numRuns: 400, seed: 7 },
    );
    const theirs = git({}, "rev-parse", ...texts.map((text) => `--since=${text}`))
      .stdout.trimEnd()
      .split("\n");
    const wrong = texts.filter((text, i) => `--max-age=${approximateSeconds(text, timeIn("UTC"))}` !== theirs[i]);
    expect(wrong).toEqual([]);
  });
});

describe("parseDate", () => {
  it.each([
    "1112911993 -0700",
    "@1112911993 +0000",
    "@1112911993",
    "2005-04-07T22:13:13",
    "2005-04-07 22:13:13 +0530",
    "2005.04.07 22:13:13",
    "04/07/2005 22:13:13",
    "07.04.2005 22:13:13",
    "Thu, 07 Apr 2005 22:13:13 +0200",
    "Thu Apr 7 15:14:13 2005 -0700",
    "2005-04-07",
    "22:13:13",
    "2005-04-07T22",
    "2005-04-07 22:13:13.123 Z",
    "7 Apr 2005 10:00 PM",
    "nonsense",
    "2005-04-07T22:13:13 EST",
    "20050407T221313",
    "2005-04-07 22:13 +2",
    "1970-01-01T00:00:00Z",
    "2100-01-01 00:00:00",
  ])("reads %j as git does", (text) => {
    const env = { GIT_AUTHOR_NAME: "n", GIT_AUTHOR_EMAIL: "e", GIT_AUTHOR_DATE: text };
    const { status, stdout } = git(env, "var", "GIT_AUTHOR_IDENT");
    const parsed = parseDate(text, timeIn("UTC"));
    const ours = parsed && `${parsed.seconds} ${zoneText(parsed.offset)}`;
    expect(ours).toBe(status === 0 ? stdout.trimEnd().slice("n <e> ".length) : null);
  });
});

describe("formatDate", () => {
  const modes = [
    "default",
    "iso",
    "iso-strict",
    "rfc",
    "short",
    "raw",
    "unix",
    "relative",
    "human",
    "local",
    "iso-local",
    "rfc-local",
    "human-local",
    "short-local",
    "format:%Y-%m-%d %H:%M:%S %z",
    "format:%a %A %b %B %c %d %e %j %U %V %W %G %p %I %y %% %s",
    "format-local:%T %D %F",
  ];
  const moments = [
    "1251659990 +0000",
    "1251600000 +0530",
    "1251400000 -0700",
    "1250000000 +0000",
    "1230000000 +0100",
    "1000000000 +0000",
    "100000000 -0330",
    "1251670000 +0000",
  ];

  it.each(modes)("--date=%s is git's", (mode) => {
    for (const moment of moments) {
      const env = {
        GIT_AUTHOR_NAME: "n",
        GIT_AUTHOR_EMAIL: "e",
        GIT_COMMITTER_NAME: "n",
        GIT_COMMITTER_EMAIL: "e",
        GIT_AUTHOR_DATE: moment,
        GIT_COMMITTER_DATE: moment,
        TZ: "America/New_York",
      };
      const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
      const commit = git(env, "commit-tree", "-m", "x", tree).stdout.trim();
      const theirs = git(env, "log", "-1", "--format=%ad", `--date=${mode}`, commit).stdout.replace(/\n$/, "");
      const [seconds = "0", zone = "+0000"] = moment.split(" ");
      const ours = formatDate(Number(seconds), zoneMinutes(zone), parseDateMode(mode), timeIn("America/New_York"));
      expect(`${moment}: ${ours}`).toBe(`${moment}: ${theirs}`);
    }
  });
});
