import { escapePointer } from "../../json.js";
import type { Api, Operation } from "../../model/model.js";
import { toCamelCase, toPascalCase } from "../../model/names.js";
import type { Emission } from "../emitter.js";
import { groupParameters, type ParameterGroup } from "../../model/parameter-groups.js";
import type { ValidatorOptions } from "./formats.js";
import { type MemberGroup, type Message, listParsedBodies, printValidators } from "./message-validators.js";
import { emitValidatorModule } from "./validator-module.js";

/**
 * Emits validators.js and validators.d.ts: request validators for every operation, compiled ahead of time. Schemas that
 * cannot be compiled are reported as problems.
 */
export function emitValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const requests = api.operations.map((operation) => createRequest(api, operation));
  return emitValidatorModule(MODULE, api, requests, options, (compiler) =>
    requests.flatMap((request) => printValidators(request, compiler)),
  );
}

const MODULE = {
  name: "validators",
  constant: "validators",
  doc: "Request validators by operation; parts without a check are omitted.",
  memberType: "RequestValidators",
  types: `
/** Validators of a request: of parameters by location, of the body by media type. */
export interface RequestValidators {
  path?: Validator;
  query?: Validator;
  headers?: Validator;
  cookies?: Validator;
  body?: Record<string, Validator>;
}

`,
};

function createRequest(api: Api, operation: Operation): Message {
  const { name: property, pointer, body } = operation;
  return {
    property,
    pointer,
    groups: groupParameters(operation).map((group) => createMemberGroup(operation, group)),
    bodies: listParsedBodies(api, body?.mediaTypes ?? []),
    bodyName: `${property}Body`,
  };
}

/**
 * Creates the group of the parameters of one location. Operations with the same component parameters share its function, e.g.
 * `ownerRepoPath`.
 */
function createMemberGroup(
  { name: operation }: Operation,
  { member, parameters }: ParameterGroup,
): MemberGroup {
  const shared = { property: member, members: parameters };
  const suffix = toPascalCase(member);
  if (!parameters.every(({ schema }) => schema?.isInComponents))
    return { ...shared, key: `#/operations/${operation}/${member}`, name: `${operation}${suffix}` };
  const pointers = parameters.map(({ schema, required }) => `${schema?.pointer}${required ? "!" : ""}`);
  const names = parameters.map(({ name }) => name);
  return {
    ...shared,
    key: `#/parameters/${member}/${escapePointer(pointers.join(" "))}`,
    name: `${toCamelCase(names.join(" "))}${suffix}`,
  };
}
