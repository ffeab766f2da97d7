import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { TextareaField } from "../../ui/fields.tsx";
import { assigneeOf, assigneeValue } from "../tasks/assignee.ts";
import { AssigneeField } from "../tasks/assignee-field.tsx";
import { PriorityField, asPriority } from "../tasks/priority-field.tsx";
import type { Template } from "./records.ts";

/** The template of the tasks that a schedule or a trigger creates: assignee, title and description. */
export function TemplateFields({ template }: { readonly template: Template | undefined }) {
  return (
    <>
      <div className="grid grid-cols-[1fr_8.75rem] gap-4 max-sm:grid-cols-1">
        <AssigneeField initial={template === undefined ? undefined : assigneeValue(template)} />
        <PriorityField />
      </div>
      <TextField name="title" label="Title of the task" required maxLength={200} placeholder="Summarise the day" />
      <TextareaField name="description" label="Description" aside="optional" rows={3} />
    </>
  );
}

/** The fields as the API takes them. */
export function templateIn(values: FormData) {
  return {
    assigned_agent_id: null,
    assigned_team_id: null,
    ...assigneeOf(textIn(values, "assignee")),
    title: textIn(values, "title"),
    description: textIn(values, "description"),
    priority: asPriority(textIn(values, "priority")) ?? "medium",
  };
}
