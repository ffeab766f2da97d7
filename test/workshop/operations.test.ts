import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { BODY_EXAMPLES } from "#http/api/shape/examples.ts";
import { inVersion } from "#http/api/shape/in-version.ts";
import { TAGS } from "#http/api/shape/tags.ts";
import { apiDocument } from "../support/checks/api-document.ts";
import { verifies } from "../support/verifies.ts";

const document = apiDocument();
const { paths = {}, tags = [] } = document;
const operations = Object.entries(paths).flatMap(([path, item]) =>
  (["get", "post", "put", "patch", "delete"] as const).flatMap((method) => {
    const operation = item?.[method];
    return operation === undefined ? [] : [{ at: `${method.toUpperCase()} ${path}`, ...operation }];
  }),
);

verifies("openapi.operation-ids", "every operation has an operationId of its own: a verb and a noun", () => {
  expect(operations.length).toBeGreaterThan(160);
  const misnamed = operations.filter(({ operationId = "" }) => !/^[a-z]+(?:[A-Z][a-z\d]*)+$/.test(operationId));
  expect(misnamed.map(({ at, operationId }) => [at, operationId])).toEqual([]);
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("no path hides a later one: the first that matches a request responds to it", () => {
  const served = Object.keys(paths);
  const hidden = served.flatMap((path, index) =>
    served
      .slice(index + 1)
      .filter((later) => matches(path, later))
      .map((later) => `${path} hides ${later}`),
  );
  expect(hidden).toEqual([]);
});

verifies("openapi.tags", "every operation is in one group, and every group has a description and operations", () => {
  expect(operations.filter((operation) => operation.tags?.length !== 1).map(({ at }) => at)).toEqual([]);
  const used = new Set(operations.flatMap((operation) => operation.tags ?? []));
  expect([...used].toSorted()).toEqual(Object.keys(TAGS).toSorted());
  expect(tags).toEqual(Object.entries(TAGS).map(([name, description]) => ({ name, description })));
});

verifies("openapi.committed", "openapi.json is the document of this code; `npm run gen` writes it", () => {
  const committed: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"));
  expect(committed).toEqual(JSON.parse(JSON.stringify(document)));
});

verifies("openapi.bodies", "every body has a name, and every example of one fits it", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
  const bodies = operations.flatMap(({ operationId = "", requestBody }) =>
    requestBody === undefined || "$ref" in requestBody
      ? []
      : Object.values(requestBody.content).map(({ schema }) => ({ operationId, schema })),
  );
  const unnamed = bodies.filter(({ schema }) => schema === undefined || !("$ref" in schema));
  expect(unnamed.map(({ operationId }) => operationId)).toEqual(["insertRows"]);
  for (const [operationId, example] of Object.entries(BODY_EXAMPLES)) {
    const { schema } = bodies.find((body) => body.operationId === operationId) ?? {};
    const $ref = schema !== undefined && "$ref" in schema ? schema.$ref : "none";
    const fits = ajv.compile({ $ref: `openapi${$ref}` });
    expect([operationId, fits(example), fits.errors ?? []]).toEqual([operationId, true, []]);
  }
});

verifies("openapi.one-version", "the document of one version has no alternatives, and no other envelope", () => {
  const [first, second] = [inVersion(document, "1"), inVersion(document, "2")].map((each) => JSON.stringify(each));
  expect(JSON.stringify(document)).toContain("With X-API-Version: 2.");
  expect(first).not.toContain("With X-API-Version: 2.");
  expect(second?.match(/With X-API-Version: 2\./g)?.length).toBeGreaterThan(25);
});

/** Whether a path's pattern matches another path, segment by segment. */
function matches(pattern: string, path: string): boolean {
  const parts = pattern.split("/");
  const others = path.split("/");
  return parts.length === others.length && parts.every((part, n) => part === others[n] || part.startsWith("{"));
}
