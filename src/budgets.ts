/**
 * Budgets of requests, jobs and connections, and of the process: time, rows, bytes and concurrency. `budgets/README.md` lists
 * the limits of each operation and route.
 *
 * Rules for the location of a constant:
 *
 * - A limit of what one request, job, connection or workspace can take from the others is in `src/budgets/`, even if the API
 *   documents it.
 * - A limit of a value, such as the longest name, belongs to the data model: `spec/` and `src/domain/`.
 * - A constant that only tunes the code beside it, such as an interval or the number of parameters of a statement, stays there.
 */
export * from "./budgets/database.js";
export * from "./budgets/jobs.js";
export * from "./budgets/requests.js";
export * from "./budgets/web.js";
