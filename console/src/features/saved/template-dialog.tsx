import {
  createOutputTemplate,
  deleteOutputTemplate,
  getOutputTemplate,
  updateOutputTemplate,
} from "#client/gen/operations/voice-and-templates.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Field, Input, Select, Textarea } from "../../ui/field.tsx";
import { TEMPLATE_TYPES } from "./kinds.ts";
import type { Template } from "./queries.ts";
import { SavedDialog } from "./saved-dialog.tsx";
import { TemplateHelp } from "./template-help.tsx";

const KIND = {
  noun: "template",
  queryKey: "templates",
  fields: ["name", "type", "body"],
} as const;

/** Creates or changes an output template. @param template undefined for a new one */
export function TemplateDialog({
  template,
  onClose,
}: {
  readonly template: Template | undefined;
  readonly onClose: () => void;
}) {
  const path = { id: template?.id ?? "" };
  return (
    <SavedDialog
      kind={KIND}
      record={template}
      read={({ id }) => call(getOutputTemplate)({ id })}
      onClose={onClose}
      save={async (values, { opened, changesOf }) => {
        const body = bodyOf(values);
        return opened === undefined
          ? await call(createOutputTemplate)(body)
          : await call(updateOutputTemplate)(path, await changesOf(body));
      }}
      remove={() => call(deleteOutputTemplate)(path)}
    >
      {(errorOf) => (
        <>
          <div className="grid grid-cols-[1fr_10rem] gap-4 max-sm:grid-cols-1">
            <Field label="Name" error={errorOf("name")}>
              <Input
                name="name"
                defaultValue={template?.name}
                autoFocus={template === undefined}
                autoComplete="off"
                placeholder="Memo"
              />
            </Field>
            <Field label="Type" error={errorOf("type")}>
              <Select name="type" defaultValue={template?.type ?? "Markdown"}>
                {TEMPLATE_TYPES.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </Select>
            </Field>
          </div>
          <Field label="Template" error={errorOf("body")} help={<TemplateHelp />}>
            <Textarea
              name="body"
              defaultValue={template?.body ?? "{{task_result}}"}
              spellCheck={false}
              className="min-h-40"
            />
          </Field>
        </>
      )}
    </SavedDialog>
  );
}

function bodyOf(values: FormData) {
  const type = textIn(values, "type");
  return {
    name: textIn(values, "name").trim(),
    type: TEMPLATE_TYPES.find((known) => known === type) ?? "Markdown",
    body: textIn(values, "body"),
  };
}
