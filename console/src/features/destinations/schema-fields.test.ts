import { expect, test } from "vitest";
import { schemaFields, shownValue } from "./schema-fields.ts";

test("fields of a schema keep their order, and say what is secret and required", () => {
  const schema = {
    type: "object",
    required: ["url"],
    properties: {
      url: { type: "string", format: "uri", title: "URL" },
      secret: { type: "string", title: "Secret", description: "Signs each request.", writeOnly: true },
      labels: { default: "bug", type: "string" },
    },
  };
  expect(schemaFields(schema)).toEqual([
    { name: "url", title: "URL", description: undefined, isSecret: false, isRequired: true, isUrl: true, initial: "" },
    {
      name: "secret",
      title: "Secret",
      description: "Signs each request.",
      isSecret: true,
      isRequired: false,
      isUrl: false,
      initial: "",
    },
    {
      name: "labels",
      title: "labels",
      description: undefined,
      isSecret: false,
      isRequired: false,
      isUrl: false,
      initial: "bug",
    },
  ]);
});

test("stored values are shown as they are typed", () => {
  expect([shownValue(undefined), shownValue(587), shownValue(["a@x", "b@x"])]).toEqual(["", "587", "a@x, b@x"]);
});
