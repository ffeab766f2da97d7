import { useQueryClient } from "@tanstack/react-query";
import { createTool, getTool, updateTool } from "#client/gen/operations/tools.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { jsonObject } from "../../forms/json-object.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { Field, Input, Select, Textarea } from "../../ui/field.tsx";
import { DraftedJsonField } from "../../ui/json-field.tsx";
import { showToast } from "../../ui/messages.ts";
import { RecordForm } from "../../ui/record-form.tsx";
import { DeleteTool } from "./delete-tool.tsx";
import { HeadersField, headersOf } from "../../ui/headers-field.tsx";
import type { CustomTool } from "./records.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const FIELDS = ["name", "description", "method", "url", "parameters", "headers", "timeout_ms"] as const;
const EXAMPLE = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** Creates or changes a custom tool. What is typed as the value of a header is held by this form only, until it is saved. */
export function ToolForm({
  tool,
  onSaved,
  onDeleted,
}: {
  /** Undefined for a new one. */
  readonly tool: CustomTool | undefined;
  /** Gets the id once the lists are fresh. The form should then be replaced: it still holds the values. */
  readonly onSaved: (id: string) => void;
  readonly onDeleted: () => void;
}) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");
  async function save(values: FormData, { opened, changesOf }: Edited<CustomTool>): Promise<string> {
    const body = bodyOf(opened, values);
    const { id, name } = await (opened === undefined
      ? call(createTool)(body)
      : call(updateTool)({ id: opened.id }, await changesOf(body)));
    await client.invalidateQueries({ queryKey: ["tools"] });
    showToast(`${name} saved.`);
    return id;
  }
  return (
    <RecordForm
      draft={`tool.${tool?.id ?? "new"}`}
      record={tool}
      read={({ id }) => call(getTool)({ id })}
      fields={FIELDS}
      shown={FIELDS}
      save={save}
      onSaved={onSaved}
      blockedBy={blockedBy}
      noValidate
      actions={({ isBusy }) => (
        <DialogActions>
          {tool !== undefined && <DeleteTool tool={tool} onDeleted={onDeleted} />}
          <Button look="primary" type="submit" isBusy={isBusy} blockedBy={blockedBy}>
            {tool === undefined ? "Create tool" : "Save tool"}
          </Button>
        </DialogActions>
      )}
    >
      {({ errorOf, errorUnder }) => (
        <>
          <Field label="Name" error={errorOf("name")} help="The name for the model: lower-case letters, digits and _.">
            <Input
              name="name"
              defaultValue={tool?.name}
              autoFocus={tool === undefined}
              placeholder="find_order"
              spellCheck={false}
              autoComplete="off"
            />
          </Field>
          <Field
            label="Description"
            error={errorOf("description")}
            help="For the model: what it does and when to use it."
          >
            <Textarea name="description" defaultValue={tool?.description} rows={2} />
          </Field>
          <Request tool={tool} errorOf={errorOf} />
          <DraftedJsonField
            label="Arguments"
            aside="JSON Schema"
            error={errorUnder("parameters")}
            name="parameters"
            initial={schemaText(tool?.parameters ?? EXAMPLE)}
            isReadOnly={blockedBy !== undefined}
            className="min-h-32"
          />
          <HeadersField stored={tool?.headers ?? {}} error={errorUnder("headers")} />
          <Field label="Time limit" aside="milliseconds" error={errorOf("timeout_ms")}>
            <Input name="timeout_ms" type="number" min="100" max="120000" defaultValue={tool?.timeout_ms ?? 30_000} />
          </Field>
        </>
      )}
    </RecordForm>
  );
}

function Request({
  tool,
  errorOf,
}: {
  readonly tool: CustomTool | undefined;
  readonly errorOf: (path: string) => string | undefined;
}) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4 max-sm:grid-cols-1">
      <Field label="Method" error={errorOf("method")}>
        <Select name="method" defaultValue={tool?.method ?? "GET"}>
          {METHODS.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </Select>
      </Field>
      <Field label="URL" error={errorOf("url")} help="{name} is filled with the argument of that name.">
        <Input name="url" defaultValue={tool?.url} placeholder="https://" spellCheck={false} autoComplete="off" />
      </Field>
    </div>
  );
}

/** In the order in which people write it. */
function schemaText({ type, properties, required, ...rest }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ type, properties, required, ...rest }, null, 2);
}

function bodyOf(tool: CustomTool | undefined, values: FormData) {
  return {
    name: textIn(values, "name").trim(),
    description: textIn(values, "description"),
    method: METHODS.find((method) => method === textIn(values, "method")) ?? "GET",
    url: textIn(values, "url").trim(),
    // Arguments are an object always; the schema need not say so.
    parameters: { ...jsonObject(textIn(values, "parameters"), "parameters"), type: "object" as const },
    headers: headersOf(values, tool?.headers ?? {}),
    timeout_ms: Number(textIn(values, "timeout_ms")),
  };
}
