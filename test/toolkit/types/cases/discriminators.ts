import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { type Case, object, string, to } from "./case.js";

/** Two branches of a union with the discriminator `kind`. */
const CAT = object({ kind: string, meows: { type: "boolean" } }, "kind", "meows");
const DOG = object({ kind: string, barks: { type: "boolean" } }, "kind", "barks");
const withKind = (schema: JsonObject, kind: JsonValue): JsonObject => ({
  ...schema,
  properties: { ...Object(schema.properties), kind },
});

export const DISCRIMINATED: Case[] = (
  [
    [
      "a mapping by reference",
      { mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" } },
      "cat",
      "dog",
      string,
    ],
    ["a mapping by name", { mapping: { cat: "Cat", dog: "Dog" } }, "cat", "dog", string],
    ["no mapping", {}, "Cat", "Dog", string],
    ["a mapping of one", { mapping: { cat: "Cat" } }, "cat", "Dog", string],
    ["several values for one", { mapping: { c: "Cat", cat: "Cat", dog: "Dog" } }, "c", "dog", string],
    ["numbers", { mapping: { "1": "Cat", "2": "Dog" } }, 1, 2, { type: "integer" }],
    ["booleans", { mapping: { true: "Cat", false: "Dog", no: "Cat" } }, true, false, { type: "boolean" }],
    [
      "an enum of all values",
      { mapping: { cat: "Cat", dog: "Dog" } },
      "cat",
      "dog",
      { type: "string", enum: ["cat", "dog"] },
    ],
    ["a reference to one", { mapping: { cat: "Cat", dog: "Dog" } }, "cat", "dog", to("Kind")],
  ] as [string, JsonObject, JsonValue, JsonValue, JsonObject][]
).map(([name, discriminator, cat, dog, kind]): Case => ({
  name: `a discriminator with ${name}`,
  schema: { oneOf: [to("Cat"), to("Dog")], discriminator: { propertyName: "kind", ...discriminator } },
  schemas: {
    Cat: withKind(CAT, kind),
    Dog: withKind(DOG, kind),
    Kind: { type: "string", enum: ["cat", "dog"] },
  },
  accepts: [
    { kind: cat, meows: true },
    { kind: dog, barks: true },
  ],
  refuses: [{ kind: cat }, { barks: true }, {}],
  typeRefuses: [{ kind: dog, meows: true }],
  reads: [`if (s.kind === ${JSON.stringify(dog)}) void s.barks; else void s.meows;`],
  misreads: ["void s.meows;"],
}));

/** Members of a union beside a branch that is a union itself, whose branches have the values cat and dog. */
const NESTED: [string, JsonObject, JsonObject][] = [
  [
    "its own mapping",
    { oneOf: [to("Pet"), to("Wild")], discriminator: { propertyName: "kind" } },
    { discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } } },
  ],
  [
    "branches in the mapping of the outer union",
    {
      oneOf: [to("Pet"), to("Wild")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
    },
    {},
  ],
  [
    "no name",
    {
      oneOf: [{ oneOf: [to("Cat"), to("Dog")] }, to("Wild")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
    },
    {},
  ],
];

export const HIERARCHY: Case[] = [
  ...NESTED.map(([name, schema, pet]): Case => ({
    name: `a discriminated union in a union, with ${name}`,
    schema,
    schemas: {
      Pet: { oneOf: [to("Cat"), to("Dog")], ...pet },
      Cat: CAT,
      Dog: DOG,
      Wild: object({ kind: string }, "kind"),
    },
    accepts: [{ kind: "cat", meows: true }, { kind: "dog", barks: true }, { kind: "Wild" }],
    refuses: [{ meows: true }],
  })),
  {
    name: "a parent with a mapping, extended by allOf",
    schema: { oneOf: [to("Cat"), to("Dog")] },
    schemas: {
      Pet: {
        ...object({ kind: string, name: string }, "kind"),
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "#/components/schemas/Dog" } },
      },
      Cat: { allOf: [to("Pet"), object({ meows: { type: "boolean" } }, "meows")] },
      Dog: { allOf: [to("Pet"), object({ barks: { type: "boolean" } }, "barks")] },
    },
    accepts: [
      { kind: "cat", name: "n", meows: true },
      { kind: "dog", barks: false },
    ],
    refuses: [{ kind: "cat" }, { meows: true }],
    typeRefuses: [{ kind: "dog", meows: true }],
    reads: [`if (s.kind === "dog") void s.barks; else void s.meows;`],
  },
  {
    name: "a union with other values than the parent, which has no mapping",
    schema: {
      oneOf: [to("Cat"), to("Dog"), to("Lion")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog", lion: "Lion" } },
    },
    schemas: {
      Pet: { ...object({ kind: string }, "kind"), discriminator: { propertyName: "kind" } },
      Cat: { allOf: [to("Pet"), object({ meows: { type: "boolean" } }, "meows")] },
      Dog: { allOf: [to("Pet"), object({ barks: { type: "boolean" } }, "barks")] },
      Lion: { allOf: [to("Cat"), object({ roars: { type: "boolean" } }, "roars")] },
    },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "dog", barks: true },
      { kind: "lion", meows: true, roars: true },
    ],
    refuses: [{ kind: "cat" }, { meows: true }],
    typeRefuses: [
      { kind: "Cat", meows: true },
      { kind: "dog", meows: true },
    ],
    reads: [
      `if (s.kind === "dog") void s.barks; else void s.meows;`,
      `if (s.kind === "cat") { const cat: C["Cat"] = s; void cat; }`,
    ],
  },
  {
    name: "a union without a mapping, and a parent with one",
    schema: { oneOf: [to("Cat"), to("Dog")], discriminator: { propertyName: "kind" } },
    schemas: {
      Pet: {
        ...object({ kind: string }, "kind"),
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
      },
      Cat: { allOf: [to("Pet"), object({ meows: { type: "boolean" } })] },
      Dog: { allOf: [to("Pet"), object({ barks: { type: "boolean" } })] },
    },
    accepts: [{ kind: "cat", meows: true }, { kind: "dog", barks: true }, { kind: "cat" }],
    refuses: [{ meows: true }],
    typeRefuses: [{ kind: "dog", meows: true }],
    reads: [`if (s.kind === "dog") void s.barks; else void s.meows;`],
  },
  {
    name: "two parents that select a child by different values",
    schema: to("Cat"),
    schemas: {
      Pet: {
        ...object({ kind: string }, "kind"),
        discriminator: { propertyName: "kind", mapping: { cat: "Cat" } },
      },
      Hunter: {
        ...object({ kind: string, prey: string }, "kind"),
        discriminator: { propertyName: "kind", mapping: { CAT: "Cat" } },
      },
      Cat: { allOf: [to("Pet"), to("Hunter")] },
    },
    accepts: [{ kind: "cat", prey: "mouse" }, { kind: "CAT" }],
    refuses: [{ prey: "mouse" }],
    typeRefuses: [{ kind: "dog" }],
  },
  {
    name: "a union that is a branch of another one, whose value none of its branches declares",
    schema: {
      oneOf: [to("Pets"), to("Fish")],
      discriminator: { propertyName: "kind", mapping: { pet: "Pets", fish: "Fish" } },
    },
    schemas: {
      Pets: {
        oneOf: [to("Cat"), to("Dog")],
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
      },
      Cat: object({ meows: { type: "boolean" } }, "meows"),
      Dog: object({ barks: { type: "boolean" } }, "barks"),
      Fish: object({ kind: string, swims: string }, "kind", "swims"),
    },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "fish", swims: "x" },
    ],
    refuses: [{ kind: "fish" }],
    typeRefuses: [{ kind: "dog", meows: true }],
  },
  ...(
    [
      ["integers", "integer", ["1", "2"], [1, 2]],
      ["booleans", "boolean", ["true", "false"], [true, false]],
      ["text", "string", ["cat", "dog"], ["cat", "dog"]],
    ] as const
  ).map(([name, type, [cat, dog], values]): Case => ({
    name: `branches that overlap, distinguished by ${name}`,
    schema: {
      oneOf: [to("Cat"), to("Dog")],
      discriminator: { propertyName: "kind", mapping: { [cat]: "Cat", [dog]: "Dog" } },
    },
    schemas: {
      Cat: object({ kind: { type }, meows: { type: "boolean" } }, "kind"),
      Dog: object({ kind: { type }, barks: { type: "boolean" } }, "kind"),
    },
    accepts: [{ kind: values[0], meows: true }, { kind: values[0] }, { kind: values[1], barks: true }],
    refuses: [{}],
    reads: [`if (s.kind === ${JSON.stringify(values[1])}) void s.barks; else void s.meows;`],
  })),
  {
    name: "a child of a child",
    schema: to("Lion"),
    schemas: {
      Pet: { ...object({ kind: string }, "kind"), discriminator: { propertyName: "kind" } },
      Cat: { allOf: [to("Pet")], properties: { meows: { type: "boolean" } } },
      Lion: { allOf: [to("Cat"), object({ roars: { type: "boolean" } }, "roars")] },
    },
    accepts: [
      { kind: "Lion", roars: true },
      { kind: "Lion", roars: true, meows: true },
    ],
    refuses: [{ kind: "Lion" }, { roars: true }],
    typeRefuses: [{ kind: "Cat", roars: true }],
    reads: [`const cat: C["Cat"] = s; void cat;`],
  },
  {
    name: "schema names that differ from the values of the discriminating property",
    schema: { oneOf: [to("CatSchema"), to("DogSchema")], discriminator: { propertyName: "kind" } },
    schemas: { CatSchema: withKind(CAT, { enum: ["cat"] }), DogSchema: withKind(DOG, { const: "dog" }) },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "dog", barks: true },
    ],
    refuses: [
      { kind: "CatSchema", meows: true },
      { kind: "dog", meows: true },
    ],
    reads: [`if (s.kind === "dog") void s.barks; else void s.meows;`],
  },
  {
    name: "a branch without the property",
    schema: {
      oneOf: [to("Cat"), to("Any")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", any: "Any" } },
    },
    schemas: { Cat: withKind(CAT, { const: "cat" }), Any: object({ what: string }, "what") },
    accepts: [{ kind: "cat", meows: true }, { kind: "any", what: "x" }, { what: "x" }],
    refuses: [{ kind: "cat" }, {}],
  },
  {
    name: "a boolean property with a mapping from other values",
    schema: {
      oneOf: [to("Cat"), to("Dog")],
      discriminator: { propertyName: "kind", mapping: { yes: "Cat", no: "Dog" } },
    },
    schemas: { Cat: withKind(CAT, { type: "boolean" }), Dog: withKind(DOG, { type: "boolean" }) },
    accepts: [],
    refuses: [{ meows: true }, {}],
    reads: ["void (s.kind satisfies boolean);"],
  },
  {
    name: "unions in a union",
    schema: {
      oneOf: [to("Pets"), to("Fish")],
      discriminator: { propertyName: "kind", mapping: { cat: "Pets", dog: "Pets", fish: "Fish" } },
    },
    schemas: {
      Pets: {
        oneOf: [to("Cat"), to("Dog")],
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
      },
      Cat: withKind(CAT, { const: "cat" }),
      Dog: withKind(DOG, { const: "dog" }),
      Fish: object({ kind: string, swims: string }, "kind", "swims"),
    },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "dog", barks: true },
      { kind: "fish", swims: "x" },
    ],
    refuses: [{ kind: "cat", barks: true }, { kind: "fish" }],
    reads: [
      `if (s.kind === "fish") void s.swims; else if (s.kind === "dog") void s.barks; else void s.meows;`,
    ],
  },
  {
    name: "branches that require a readOnly property of the union",
    schema: {
      ...object({ id: { type: "integer", readOnly: true } }),
      oneOf: [to("Cat"), to("Dog")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
    },
    schemas: {
      Cat: object({ kind: string, a: { type: "integer" } }, "id", "kind"),
      Dog: object({ kind: string, b: { type: "integer" } }, "id", "kind"),
    },
    accepts: [{ kind: "cat", a: 1 }, { kind: "dog" }],
    refuses: [{}, { a: 1 }],
    typeRefuses: [{ kind: "dog", a: 1 }, { kind: "bird" }],
    reads: [`if (s.kind === "dog") void s.b; else void s.a;`],
  },
  {
    name: "branches without a name",
    schema: {
      oneOf: [withKind(CAT, { const: "cat" }), withKind(DOG, { enum: ["dog", "wolf"] })],
      discriminator: { propertyName: "kind" },
    },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "wolf", barks: true },
    ],
    refuses: [{ kind: "wolf", meows: true }, {}],
    reads: [`if (s.kind === "cat") void s.meows; else void s.barks;`],
  },
];
