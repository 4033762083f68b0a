import { printDocComment } from "../../code/encode.js";
import { getOrCreate } from "../../maps.js";
import type { Api, Operation } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import type { TypeNames } from "../type-names.js";
import { listRequestBodies, listSuccessBodies, type TypedBody } from "../typed-bodies.js";
import { createSchemaDocs } from "./docs.js";
import { SchemaTypes } from "./schema-types.js";
import { createTypeName, printType, type Type } from "./type.js";

/** Prints the types of schemas: declarations of components and bodies, and inline types. */
export class SchemaPrinter {
  private readonly types: SchemaTypes;
  /** Cache of the types of schemas where they are used. The type of an inline body is the name of its declaration. */
  private readonly inlineTypes = new Map<Schema, Type>();

  constructor(
    api: Api,
    private readonly names: TypeNames,
  ) {
    this.types = new SchemaTypes(api, names.schemas);
  }

  /** Translates a schema where it is used. */
  translate(schema: Schema): Type {
    return getOrCreate(this.inlineTypes, schema, () => this.types.translate(schema));
  }

  /** Prints the declarations of all schemas with a name. */
  printDeclarations(): string[] {
    return [...this.names.schemas].map(([schema, name]) => {
      const type = printType(this.types.translateDeclaration(schema));
      return [...printDocComment(createSchemaDocs(schema)), `export type ${name} = ${type};`].join("\n");
    });
  }

  /**
   * Prints the declarations of the types of an operation's bodies. An operation has a declaration for its request body and
   * one for its success responses, if they have a name. Afterwards, `translate` returns the name for an inline body that is
   * its only alternative.
   */
  printBodies(operation: Operation): string[] {
    const { requestBody, responseBody } = this.names.operations.get(operation) ?? {};
    return [
      ...this.printBody(requestBody, listRequestBodies(operation)),
      ...this.printBody(responseBody, listSuccessBodies(operation)),
    ];
  }

  private printBody(name: string | undefined, bodies: readonly TypedBody[]): string[] {
    if (name === undefined) return [];
    const types = bodies.map(({ schema, referencedComponent, accessType, isInline }) => {
      if (referencedComponent) return this.types.getName(referencedComponent);
      if (!isInline || bodies.length > 1) return accessType;
      this.inlineTypes.set(schema, createTypeName(name));
      return printType(this.types.translate(schema));
    });
    return [`export type ${name} = ${[...new Set(types)].join(" | ")};`];
  }
}
