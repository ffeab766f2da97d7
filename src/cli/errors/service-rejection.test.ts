import { expect, test } from "vitest";
import { rejectionMessage } from "./service-rejection.ts";

const REJECTION = {
  status: 400,
  message: "Invalid body: name: Required",
  details: [],
  requestId: "req_1",
  retryAfterMs: undefined,
  url: "http://127.0.0.1:4400",
};

test("several issues are listed with their paths, once", () => {
  const details = [
    { path: "name", message: "Required" },
    { path: "tools.0", message: "Too long" },
    { path: "", message: "No object" },
  ];
  const message = "Invalid body: name: Required; tools.0: Too long; No object";
  expect(rejectionMessage({ ...REJECTION, message, details })).toBe(
    "Invalid body:\n  name: Required\n  tools.0: Too long\n  (body): No object",
  );
});

test("an issue that the message contains is not repeated; another one is added", () => {
  const named = { path: "name", message: "Required" };
  expect(rejectionMessage({ ...REJECTION, details: [named] })).toBe("Invalid body: name: Required");
  expect(rejectionMessage({ ...REJECTION, message: "Bad.", details: [named] })).toBe("Bad.\n  name: Required");
});

test.each([
  [401, "set MUSTER_API_KEY"],
  [429, "Try again in 7 s."],
  [500, "See the server log (req_1)"],
])("a rejection with %d says what to do", (status, advice) => {
  expect(rejectionMessage({ ...REJECTION, status, retryAfterMs: 7_000 })).toContain(advice);
});

test("a stream that ends with its key says what became of the key", () => {
  const message = "Unauthorized — provide Bearer token";
  expect(rejectionMessage({ ...REJECTION, status: 401, message })).toContain("its workspace was deleted");
});

test("only the error for a key without the scope suggests another key", () => {
  const forbidden = { ...REJECTION, status: 403, details: [] };
  const scope = { ...forbidden, message: "This key has no write scope." };
  expect(rejectionMessage(scope)).toBe(`${scope.message}\nUse a key with the scope that this needs.`);
  const quota = { ...forbidden, message: "A workspace on the plan free may have 10000 records." };
  expect(rejectionMessage(quota)).toBe(quota.message);
});

test("an error mentions a path in the service's URL", () => {
  const rejection = { ...REJECTION, status: 404, message: "Not found: /x/functions/v1/api-agents" };
  expect(rejectionMessage({ ...rejection, url: "http://127.0.0.1:4400/x" })).toBe(
    `${rejection.message}\nUse the URL of the service without a path: http://127.0.0.1:4400`,
  );
  expect(rejectionMessage({ ...rejection, message: "Not found: /files/1" })).toBe("Not found: /files/1");
});
