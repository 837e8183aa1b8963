/** Summarizes the result of one pushed ref as `git push` prints it: a flag, and a text. */
import type { Oid } from "../../object/oid.ts";
import { type PushedRef, UNREPORTED } from "./push.ts";

export interface PushSummary {
  /** " " fast-forward, "+" forced, "*" new, "-" deleted, "=" up to date, "!" rejected. */
  readonly flag: string;
  readonly summary: string;
  readonly note: string;
}

export async function pushSummary(ref: PushedRef, abbreviate: (oid: Oid) => Promise<string>): Promise<PushSummary> {
  const { kind, target, from, to, reason = "" } = ref;
  switch (kind) {
    case "new":
      return {
        flag: "*",
        summary: target.startsWith("refs/tags/")
          ? "[new tag]"
          : target.startsWith("refs/heads/")
            ? "[new branch]"
            : "[new reference]",
        note: "",
      };
    case "fast-forward":
      return { flag: " ", summary: `${await abbreviate(from)}..${await abbreviate(to)}`, note: "" };
    case "forced":
      return { flag: "+", summary: `${await abbreviate(from)}...${await abbreviate(to)}`, note: "forced update" };
    case "deleted":
      return { flag: "-", summary: "[deleted]", note: "" };
    case "same":
      return { flag: "=", summary: "[up to date]", note: "" };
    case "rejected":
      return { flag: "!", summary: "[rejected]", note: reason };
    case "remote-rejected":
      return { flag: "!", summary: reason === UNREPORTED ? "[remote failure]" : "[remote rejected]", note: reason };
    default:
      return kind satisfies never;
  }
}
