import { describe, expect, it } from "vitest";
import { extendIdentity } from "./identity.ts";

describe("extendIdentity", () => {
  it("extendIdentity sets an actor and a call where there were none", () => {
    expect(extendIdentity({}, {})).toEqual({});
    expect(extendIdentity({}, { actor: "model", callId: "c1" })).toEqual({ actor: "model", callId: "c1" });
  });

  it("extendIdentity appends to an actor that is set, and replaces the call", () => {
    expect(extendIdentity({ actor: "svc", callId: "c1" }, { actor: "edit", callId: "c2" })).toEqual({
      actor: "svc/edit",
      callId: "c2",
    });
    expect(extendIdentity({ actor: "svc", callId: "c1" }, {})).toEqual({ actor: "svc", callId: "c1" });
  });

  it.each(["", "a\nb", "a\u0000", "x".repeat(257), "\ud800", 5, null])("extendIdentity refuses %j", (word) => {
    expect(() => extendIdentity({}, { actor: word as string })).toThrow("EINVAL");
    expect(() => extendIdentity({}, { callId: word as string })).toThrow("EINVAL");
  });

  it("extendIdentity refuses an actor that grows too long", () => {
    expect(() => extendIdentity({ actor: "a".repeat(200) }, { actor: "b".repeat(100) })).toThrow("EINVAL");
  });
});
