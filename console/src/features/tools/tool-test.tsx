import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { testTool } from "#client/gen/operations/tools.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { jsonObject } from "../../forms/json-object.ts";
import { textIn } from "../../forms/use-submit.ts";
import { DraftedJsonField } from "../../ui/json-field.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { TestResult } from "../../ui/test-result.tsx";
import type { TestOutcome } from "../../ui/test-result.tsx";
import type { CustomTool } from "./records.ts";

/** Calls a tool once, for real, as it is saved. */
export function ToolTest({ tool }: { readonly tool: CustomTool }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const [outcome, setOutcome] = useState<TestOutcome>();
  async function test(values: FormData): Promise<void> {
    const body = { arguments: jsonObject(textIn(values, "arguments"), "arguments") };
    setOutcome(await call(testTool)({ id: tool.id }, body));
    void client.invalidateQueries({ queryKey: ["tools", "calls", tool.id] });
  }
  return (
    <section aria-labelledby="tool-test" className="flex flex-col gap-3 border-t border-line pt-5">
      <h3 id="tool-test" className="text-h3 font-semibold">
        Test
      </h3>
      <RecordForm
        draft={`tool-test.${tool.id}`}
        keepsDraft
        save={test}
        className="flex flex-col gap-3"
        actions={
          <SubmitButton blockedBy={blockedBy} className="self-start" look="plain">
            Call tool
          </SubmitButton>
        }
      >
        <DraftedJsonField
          label="Arguments of the call"
          aside="JSON"
          help="The tool is called for real, as it is saved."
          name="arguments"
          initial={exampleOf(tool)}
          rows={2}
        />
      </RecordForm>
      {outcome !== undefined && <TestResult outcome={outcome} />}
    </section>
  );
}

const BLANK: Readonly<Record<string, unknown>> = {
  array: [],
  boolean: false,
  integer: 0,
  number: 0,
  object: {},
  string: "",
};

/** The required arguments with blank values, to be filled in. */
function exampleOf({ parameters: { properties, required } }: CustomTool): string {
  const schemas = new Map<string, unknown>(isObject(properties) ? Object.entries(properties) : []);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const blank = names.map(String).map((name) => [name, BLANK[typeIn(schemas.get(name))] ?? null]);
  return JSON.stringify(Object.fromEntries(blank), null, 2);
}

function typeIn(schema: unknown): string {
  return isObject(schema) && "type" in schema ? String(schema.type) : "";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
