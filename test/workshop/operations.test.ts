import { expect } from "vitest";
import { TAGS } from "#http/api/shape/tags.ts";
import { openApiDocument } from "#http/openapi.ts";
import { appWithoutServices } from "../support/served-routes.ts";
import { verifies } from "../support/verifies.ts";

const { paths = {}, tags = [] } = openApiDocument(appWithoutServices());
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

verifies("openapi.tags", "every operation is in one group, and every group has a description and operations", () => {
  expect(operations.filter((operation) => operation.tags?.length !== 1).map(({ at }) => at)).toEqual([]);
  const used = new Set(operations.flatMap((operation) => operation.tags ?? []));
  expect([...used].toSorted()).toEqual(Object.keys(TAGS).toSorted());
  expect(tags).toEqual(Object.entries(TAGS).map(([name, description]) => ({ name, description })));
});
