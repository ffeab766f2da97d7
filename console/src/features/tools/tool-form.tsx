import { useQueryClient } from "@tanstack/react-query";
import { createTool, getTool, updateTool } from "#client/gen/operations/tools.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { jsonObject } from "../../forms/json-object.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { textIn } from "../../forms/use-submit.ts";
import { DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { DraftedJsonField } from "../../ui/json-field.tsx";
import { showToast } from "../../ui/messages.ts";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { DeleteTool } from "./delete-tool.tsx";
import { HeadersField, headersOf } from "../../ui/headers-field.tsx";
import type { CustomTool } from "./records.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
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
      save={save}
      onSaved={onSaved}
      blockedBy={blockedBy}
      noValidate
      actions={
        <DialogActions>
          {tool !== undefined && <DeleteTool tool={tool} onDeleted={onDeleted} />}
          <SubmitButton blockedBy={blockedBy}>{tool === undefined ? "Create tool" : "Save tool"}</SubmitButton>
        </DialogActions>
      }
    >
      <Fields tool={tool} isReadOnly={blockedBy !== undefined} />
    </RecordForm>
  );
}

function Fields({ tool, isReadOnly }: { readonly tool: CustomTool | undefined; readonly isReadOnly: boolean }) {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        help="The name for the model: lower-case letters, digits and _."
        autoFocus={tool === undefined}
        placeholder="find_order"
        spellCheck={false}
      />
      <TextareaField
        name="description"
        label="Description"
        help="For the model: what it does and when to use it."
        rows={2}
      />
      <Request />
      <DraftedJsonField
        label="Arguments"
        aside="JSON Schema"
        name="parameters"
        initial={schemaText(tool?.parameters ?? EXAMPLE)}
        isReadOnly={isReadOnly}
        className="min-h-32"
      />
      <HeadersField stored={tool?.headers ?? {}} />
      <TextField
        name="timeout_ms"
        label="Time limit"
        aside="milliseconds"
        type="number"
        min="100"
        max="120000"
        defaultValue={30_000}
      />
    </>
  );
}

function Request() {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4 max-sm:grid-cols-1">
      <SelectField name="method" label="Method" defaultValue="GET" options={METHODS} />
      <TextField
        name="url"
        label="URL"
        help="{name} is filled with the argument of that name."
        placeholder="https://"
        spellCheck={false}
      />
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
