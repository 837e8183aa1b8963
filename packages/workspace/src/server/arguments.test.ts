import { describe, expect, it } from "vitest";
import {
  type ArgumentCheck,
  BadArgument,
  checkArguments,
  either,
  fields,
  flag,
  integer,
  invalid,
  list,
  nullable,
  oneOf,
  optional,
  path,
  size,
  text,
  time,
} from "./arguments.ts";

const passes = (check: ArgumentCheck<unknown>, value: unknown) => {
  try {
    check(value, "it");
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(BadArgument);
    return false;
  }
};

/** What a stub looks like from here: callable, and it claims to have every property. */
const stub = new Proxy(() => {}, { get: () => stub, getPrototypeOf: () => class RpcStub {}.prototype });

describe("checks", () => {
  it.each<[string, ArgumentCheck<unknown>, unknown[], unknown[]]>([
    ["path", path, ["", "/a"], [undefined, null, 1, {}, [], stub, new String("/a")]],
    ["flag", flag, [true, false], ["true", 1, null, stub]],
    ["integer", integer, [0, -3], [1.5, Number.NaN, Infinity, "1", 2 ** 53, 1n, stub]],
    ["size", size, [0, 9], [-1, 0.5, stub]],
    ["time", time, [0, "2020-01-01", new Date(0)], [null, {}, [], true, stub]],
    ["nullable", nullable(text), [null, "a"], [undefined, 1]],
    ["optional", optional(text), [undefined, "a"], [null, 1]],
    ["either", either(text, integer), ["a", 1], [null, [], stub]],
    ["oneOf", oneOf("a", "b"), ["a"], ["c", "constructor", "", stub]],
    ["list", list(text, 2), [[], ["a", "b"]], [["a", "b", "c"], [1], "ab", { length: 1, 0: "a" }, stub]],
    [
      "fields",
      fields({ a: optional(integer) }),
      [{}, { a: 1 }, { b: "unknown" }],
      [null, [], { a: "1" }, new Date(0), new Map(), stub],
    ],
  ])("%s lets through what it should, and nothing else", (_, check, good, bad) => {
    expect(good.map((value) => passes(check, value))).toEqual(good.map(() => true));
    expect(bad.map((value) => passes(check, value))).toEqual(bad.map(() => false));
  });

  it("list refuses a sparse array by its length, without a walk over the holes", () => {
    let looks = 0;
    const sparse = new Proxy(new Array(2 ** 32 - 1), {
      get: (target, key) => {
        looks++;
        return Reflect.get(target, key);
      },
    });
    expect(passes(list(optional(text), 1000), sparse)).toBe(false);
    expect(looks).toBeLessThan(10);
  });

  it("fields leaves unknown and inherited fields behind", () => {
    const check = fields({ constructor: optional(text), a: optional(integer) });
    expect(Object.keys(check({ a: 1, b: 2 }, "it"))).toEqual(["a"]);
    expect(check(JSON.parse('{"__proto__": {"a": 5}}'), "it")).toEqual({});
  });
});

describe("checkArguments", () => {
  it("checkArguments takes fewer than there are checks, but not more, and no array-like", () => {
    expect(checkArguments([text, optional(integer)], ["a"])).toEqual(["a", undefined]);
    expect(() => checkArguments([text], ["a", "b"])).toThrow("args must be at most 1 items");
    expect(() => checkArguments([text], { length: 1, 0: "a" })).toThrow("args must be an array");
    expect(() => checkArguments([text], stub)).toThrow("args must be an array");
  });

  it("invalid names the verb, and the path when there is one", () => {
    expect(invalid("rm", "argument 2 must be an object", ["/a", 1])).toMatchObject({
      code: "EINVAL",
      syscall: "rm",
      path: "/a",
    });
    expect(invalid("rm", "no", [stub]).path).toBeUndefined();
  });
});
