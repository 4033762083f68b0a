import { expect, test } from "vitest";
import { BusyError, StorageUnavailableError } from "../../../src/errors.js";
import { DomainError } from "../../../src/domain/errors.js";
import { newId } from "../../../src/domain/ids.js";
import {
  createErrorPage,
  createMalformedRequestPage,
  createWrongAddressPage,
} from "../../../src/web/error-page.js";
import type { WebRequest } from "../../../src/web/request.js";
import { WebRequestError } from "../../../src/web/web-request-error.js";
import { openTestStore } from "../storage/open.js";

test.each([
  [
    new Error("secret"),
    500,
    "The service logged this error. Try again. If it happens again, tell the operator of the service.",
    null,
  ],
  [
    new StorageUnavailableError("secret"),
    503,
    "The service cannot reach its database at the moment. Try again soon.",
    "5",
  ],
  [new BusyError("Too many pages wait."), 503, "Too many pages wait.", "5"],
])(
  "%o leads to a page that explains it, links to the same address and is reported",
  async (error, status, text, retryAfter) => {
    const reported: unknown[] = [];
    const page = await createErrorPage(error, undefined, (each) => reported.push(each));
    expect([page.status, page.headers["Retry-After"] ?? null]).toEqual([status, retryAfter]);
    expect(page.body).toContain(text);
    // Without a session the page does not know whether the visitor is signed in.
    expect(page.body).not.toMatch(/secret|Sign in/);
    expect(page.body).toContain('<a href="">Try again</a>');
    expect(reported).toEqual([error]);
  },
);

test.each([
  ["validation", 400, "Reason"],
  ["not_found", 404, "This workspace has no page or database at this address."],
  ["conflict", 409, "Reason"],
] as const)("a request with an error of kind %s gets a page with status %d", async (kind, status, text) => {
  const reported: unknown[] = [];
  const error = new DomainError(kind, "Reason");
  const page = await createErrorPage(error, undefined, (each) => reported.push(each));
  expect([page.status, reported]).toEqual([status, []]);
  expect(page.body).toContain(text);
});

test("pages for requests that have no session say what to do", () => {
  for (const [{ body }, remedy] of [
    [createMalformedRequestPage(400, "Remove the header."), "Remove the header."],
    [createMalformedRequestPage(431, ""), "Shorten the address, or delete the cookies of this site."],
    [createWrongAddressPage("http://a/"), "its operator sets APP_URL or BASE_URL to it."],
  ] as const)
    expect(body).toContain(remedy);
});

test.each([1, 2])("an error gets its page although read %i of the workspaces fails", async (failing) => {
  const { read } = await openTestStore(":memory:");
  let reads = 0;
  const store = {
    get read() {
      reads += 1;
      if (reads >= failing) throw new Error("unreachable");
      return read;
    },
  };
  const session = { accountName: "Ada", accountId: newId(), workspaceId: newId(), csrfToken: "" };
  // The cast: the page uses nothing else of the request.
  const request = {
    context: { store },
    session,
    param: newId(),
    httpRequest: { url: "/" },
  } as unknown as WebRequest;
  const page = await createErrorPage(new WebRequestError(404, "Reason"), request, () => {});
  expect([page.status, page.body]).toEqual([404, expect.stringContaining("<p>Reason</p>")]);
  expect(page.body).toContain(">Ada</a");
});
