import { textIn } from "../../lib/use-submit.ts";
import { Field, Input, Select, Textarea } from "../../ui/field.tsx";
import { useAgents, useTeams } from "../agents/queries.ts";
import { AGENT, AssigneeOptions, TEAM } from "../tasks/assignee.tsx";
import type { Template } from "./records.ts";

const PRIORITIES = ["low", "medium", "high", "urgent"] as const;

/** The paths of the fields below, as the server names them. */
export const TEMPLATE_PATHS = ["assigned_agent_id", "assigned_team_id", "title", "description", "priority"] as const;

/** What the tasks of a schedule or a trigger are made of: for whom, and what to do. */
export function TemplateFields({
  template,
  errorOf,
}: {
  readonly template: Template | undefined;
  readonly errorOf: (path: string) => string | undefined;
}) {
  const agents = useAgents().data;
  const teams = useTeams().data;
  return (
    <>
      <div className="grid grid-cols-[1fr_140px] gap-4 max-sm:grid-cols-1">
        <Field label="Agent or team" error={errorOf("assigned_agent_id") ?? errorOf("assigned_team_id")}>
          {/* Drawn again when the lists are there, so that the right one is chosen. */}
          <Select
            name="assignee"
            required
            key={`${agents?.length}-${teams?.length}`}
            defaultValue={assigneeOf(template)}
          >
            <AssigneeOptions />
          </Select>
        </Field>
        <Field label="Priority" error={errorOf("priority")}>
          <Select name="priority" defaultValue={template?.priority ?? "medium"}>
            {PRIORITIES.map((priority) => (
              <option key={priority} value={priority}>
                {priority}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label="Title of the task" error={errorOf("title")}>
        <Input
          name="title"
          required
          maxLength={200}
          dir="auto"
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
  const assignee = textIn(values, "assignee");
  const idAfter = (prefix: string) => (assignee.startsWith(prefix) ? assignee.slice(prefix.length) : null);
  return {
    assigned_agent_id: idAfter(AGENT),
    assigned_team_id: idAfter(TEAM),
    title: textIn(values, "title"),
    description: textIn(values, "description"),
    priority: PRIORITIES.find((each) => each === textIn(values, "priority")) ?? "medium",
  };
}

function assigneeOf(template: Template | undefined): string | undefined {
  if (template?.assigned_agent_id != null) return AGENT + template.assigned_agent_id;
  return template?.assigned_team_id == null ? undefined : TEAM + template.assigned_team_id;
}
