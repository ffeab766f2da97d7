import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { z } from "zod";
import { inVersion } from "#http/api/shape/in-version.ts";
import { apiDocument } from "../support/checks/api-document.ts";
import { verifies } from "../support/verifies.ts";

const content = z.record(
  z.string(),
  z.looseObject({ schema: z.looseObject({}).optional(), example: z.unknown().optional() }),
);
const operation = z.looseObject({
  operationId: z.string(),
  responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
});
const documentShape = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** Describing the whole application takes long on a busy machine. */
const SLOW_MS = 180_000;

/** The bodies of success of all operations, of one version of the document. */
function bodiesOf(version: "1" | "2") {
  const document = documentShape.parse(inVersion(apiDocument(), version));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
  const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
      Object.entries(responses).flatMap(([status, { content: body }]) =>
        body?.["application/json"] === undefined || !status.startsWith("2")
          ? []
          : [{ operationId, pointer: ["paths", path, method, "responses", status], ...body["application/json"] }],
      ),
    ),
  );
  return { ajv, bodies };
}

for (const version of ["1", "2"] as const) {
  verifies(
    "openapi.response-examples",
    `examples of answers fit their schemas in version ${version}`,
    () => {
      const { ajv, bodies } = bodiesOf(version);
      const misfits = bodies.flatMap(({ operationId, pointer, example }) => {
        if (example === undefined) return [];
        const parts = [...pointer, "content", "application/json", "schema"];
        const fragment = parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
        const validate = ajv.compile({ $ref: `openapi#/${fragment.join("/")}` });
        return validate(example) ? [] : [{ operationId, errors: validate.errors }];
      });
      expect(misfits).toEqual([]);
    },
    { tags: "slow", timeout: SLOW_MS },
  );
}

verifies(
  "openapi.response-examples",
  "all answers have an example",
  () => {
    const { bodies } = bodiesOf("1");
    const without = bodies.filter(({ example }) => example === undefined);
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  },
  SLOW_MS,
);
