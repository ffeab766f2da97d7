import {
  createOutputTemplate,
  deleteOutputTemplate,
  getOutputTemplate,
  updateOutputTemplate,
} from "#client/gen/operations/voice-and-templates.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { TEMPLATE_TYPES } from "./kinds.ts";
import type { Template } from "./queries.ts";
import { SavedDialog } from "./saved-dialog.tsx";
import { TemplateHelp } from "./template-help.tsx";

const KIND = { noun: "template", queryKey: "templates" } as const;

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
      <div className="grid grid-cols-[1fr_10rem] gap-4 max-sm:grid-cols-1">
        <TextField name="name" label="Name" autoFocus={template === undefined} placeholder="Memo" />
        <SelectField name="type" label="Type" defaultValue="Markdown" options={TEMPLATE_TYPES} />
      </div>
      <TextareaField
        name="body"
        label="Template"
        help={<TemplateHelp />}
        defaultValue="{{task_result}}"
        spellCheck={false}
        className="min-h-40"
      />
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
