import type { SchemaCheck } from "./schema-check.js";

/** Reads the methods of a path that are not in lower case, such as `GET`. */
export const upperCaseMethods: SchemaCheck = (pathItem, pointer) => {
  if (!/^\/(?:paths|webhooks)\/[^/]+$/.test(pointer)) return [];
  return Object.entries(pathItem).flatMap(([name, operation]) => {
    const method = name.toLowerCase();
    const isMethod = /^(?:get|put|post|delete|options|head|patch|trace)$/.test(method);
    if (name === method || !isMethod || Object.hasOwn(pathItem, method)) return [];
    const correct = (): void => {
      delete pathItem[name];
      pathItem[method] = operation;
    };
    const message = `\`${name}\` is read as \`${method}\`. Write \`${method}\` in lower case.`;
    return [{ relativePointer: `/${name}`, describe: () => message, correct }];
  });
};
