import { describe, expect, it } from "vitest";
import { listedSchema } from "../../src/upstream/listed-schema.ts";

const text = { type: "string" };
const object = { type: "object" };

describe("the listed schema of an upstream tool", () => {
  it("is the reviewed one if its root has no alternatives", () => {
    const schema = { ...object, properties: { a: { anyOf: [text, { type: "null" }] } } };
    expect(listedSchema(schema)).toEqual(schema);
  });

  // Clients refused the whole list of tools because of one such schema. Programs in Go write null for an empty list.
  it("has a root that every client accepts", () => {
    const properties = { a: true, b: false, c: null, d: "string", e: text };
    const listed = { a: {}, b: { not: {} }, c: {}, d: {}, e: text };
    expect(listedSchema({ $schema: 5, type: "string", properties, required: null })).toEqual({
      ...object,
      properties: listed,
    });
    const odd = {
      $defs: null,
      properties: null,
      required: ["a", 1, "a"],
      additionalProperties: null,
    };
    expect(listedSchema(odd)).toEqual({ ...object, properties: {}, required: ["a"] });
  });

  // Model services refuse such a tool, and with it each request of the conversation.
  it("says in words which arguments belong together", () => {
    const properties = { route: text, file: text };
    const anyOf = [{ required: ["route"] }, { required: ["file"] }];
    expect(listedSchema({ ...object, description: "Finds.", properties, anyOf })).toEqual({
      ...object,
      description: "Finds. Give at least one of these sets: route | file.",
      properties,
    });
  });

  it("has the arguments of all alternatives, and requires those of each", () => {
    const $defs = {
      url: { properties: { kind: { const: "url" }, url: text }, required: ["kind", "url"] },
    };
    const own = { properties: { kind: { const: "own" }, data: text }, required: ["kind", "data"] };
    const oneOf = [own, { $ref: "#/$defs/url" }];
    expect(listedSchema({ ...object, $defs, oneOf })).toEqual({
      ...object,
      $defs,
      description: "Give exactly one of these sets: data | url.",
      properties: {
        kind: { anyOf: [{ const: "own" }, { const: "url" }] },
        data: text,
        url: text,
      },
      required: ["kind"],
    });
  });

  it("has the arguments and requirements of every part of allOf", () => {
    const allOf = [
      { properties: { a: text }, required: ["a"] },
      { anyOf: [{ properties: { b: text }, required: ["b"] }, { properties: { c: text } }] },
    ];
    expect(listedSchema({ ...object, required: ["z"], allOf, not: { required: ["q"] } })).toEqual({
      ...object,
      description: "Give one or none of these sets: b.",
      properties: { a: text, b: text, c: text },
      required: ["z", "a"],
    });
  });

  it("reads a schema of references to itself in a limited time", () => {
    const itself = { $ref: "#/$defs/a" };
    const a = { oneOf: Array.from({ length: 200 }, () => itself) };
    const schema = { ...object, $defs: { a }, oneOf: [itself, { $ref: "#/$defs/none" }, true, 5] };
    expect(listedSchema(schema)).toEqual({ ...object, $defs: { a }, properties: {} });
  });
});
