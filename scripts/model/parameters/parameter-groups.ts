import type { BaseOperation, Parameter } from "../model.js";

/** The parameters of one location, which form a member of the request. */
export interface ParameterGroup {
  member: (typeof REQUEST_MEMBERS)[number][0];
  location: Parameter["in"];
  parameters: Parameter[];
}

/** Members of the request, with the location of their parameters. */
const REQUEST_MEMBERS = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
] as const;

/** Groups the parameters of an operation by location. Omits locations without parameters. */
export function groupParameters({ parameters }: Pick<BaseOperation, "parameters">): ParameterGroup[] {
  return REQUEST_MEMBERS.map(([member, location]) => ({
    member,
    location,
    parameters: parameters.filter((each) => each.in === location),
  })).filter((group) => group.parameters.length > 0);
}
