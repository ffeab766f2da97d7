import { textIn } from "../../forms/use-submit.ts";
import { Field, Input, Textarea } from "../../ui/field.tsx";
import { assigneeOf, assigneeValue } from "../tasks/assignee.ts";
import { AssigneeField } from "../tasks/assignee-field.tsx";
import { PriorityField, asPriority } from "../tasks/priority-field.tsx";
import type { Template } from "./records.ts";

/** The paths of the fields below, as the server names them. */
export const TEMPLATE_PATHS = ["assigned_agent_id", "assigned_team_id", "title", "description", "priority"] as const;

/** The template of the tasks that a schedule or a trigger creates: assignee, title and description. */
export function TemplateFields({
  template,
  errorOf,
}: {
  readonly template: Template | undefined;
  readonly errorOf: (path: string) => string | undefined;
}) {
  return (
    <>
      <div className="grid grid-cols-[1fr_8.75rem] gap-4 max-sm:grid-cols-1">
        <AssigneeField
          initial={template === undefined ? undefined : assigneeValue(template)}
          error={errorOf("assigned_agent_id") ?? errorOf("assigned_team_id")}
        />
        <PriorityField initial={template?.priority} error={errorOf("priority")} />
      </div>
      <Field label="Title of the task" error={errorOf("title")}>
        <Input
          name="title"
          required
          maxLength={200}
          autoComplete="off"
          defaultValue={template?.title}
          placeholder="Summarise the day"
        />
      </Field>
      <Field label="Description" aside="optional" error={errorOf("description")}>
        <Textarea name="description" rows={3} defaultValue={template?.description} />
      </Field>
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
