/** The fast check accepts only what zod accepts, with the same values. */
import { expect, it } from "vitest";
import * as z from "zod";
import { allTools } from "../tools/all-tools.ts";
import { isPlainlyRight } from "./plain-check.ts";

const VALUES: readonly unknown[] = [
  ...[undefined, null, true, false, 0, 1, -1, 1.5, 70_000, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY],
  ...["", "a", "json", "text", "file", "coder", "SIGTERM", "tavily", "x".repeat(300), "x".repeat(1001), "1", "true"],
  ...[[], ["a"], ["a", 1], [""], {}, { oldText: "a", newText: "b" }, [{ oldText: "a", newText: "b" }]],
  ...[[{ oldText: "a" }], [{ oldText: "a", newText: "b", more: 1 }], [[]], () => 1, Symbol("s"), 5n, new Date()],
];

/** Every field with every value, beside valid required fields. */
function* inputsOf(schema: z.ZodObject): Generator<Record<string, unknown>> {
  const names = [...Object.keys(schema.shape), "unknown", "__proto__x"];
  const right: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape))
    if (!(field instanceof z.ZodOptional))
      right[name] = VALUES.find((value) => (field as z.ZodType).safeParse(value).success);
  yield right;
  yield {};
  for (const name of names)
    for (const value of VALUES) {
      yield { ...right, [name]: value };
      yield { [name]: value };
    }
}

it("isPlainlyRight agrees with zod on every field of every tool", () => {
  let [yes, no] = [0, 0];
  for (const { name, schema } of allTools) {
    for (const input of inputsOf(schema)) {
      if (!isPlainlyRight(schema, input)) {
        no++;
        continue;
      }
      yes++;
      const parsed = schema.safeParse(input);
      expect([name, parsed.success]).toEqual([name, true]);
      expect(parsed.data).toEqual(input);
    }
  }
  expect([yes > 500, no > 1000]).toEqual([true, true]);
});

it("isPlainlyRight takes the usual call of every tool: no schema has become too much for it", () => {
  for (const { name, schema } of allTools) {
    const right = [...inputsOf(schema)].find((input) => schema.safeParse(input).success);
    expect([name, right !== undefined && isPlainlyRight(schema, right)]).toEqual([name, true]);
  }
});

it("isPlainlyRight leaves to zod what changes a value or is checked in a way of its own", () => {
  for (const field of [
    z.string().trim(),
    z.string().default("x"),
    z.string().regex(/a/),
    z.email(),
    z.string().nullable(),
    z.union([z.string(), z.number()]),
    z.number().multipleOf(2),
    z.number().gt(1),
    z.string().refine((text) => text === "b"),
    z.coerce.number(),
  ])
    expect(isPlainlyRight(z.strictObject({ a: field }), { a: "a" })).toBe(false);
  expect(isPlainlyRight(z.object({ a: z.string() }), { a: "a", more: 1 })).toBe(false);
  expect(
    isPlainlyRight(
      z.strictObject({ a: z.string() }).refine(() => false),
      { a: "a" },
    ),
  ).toBe(false);
});
