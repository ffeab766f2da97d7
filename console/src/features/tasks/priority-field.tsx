import { oneOf } from "../../lib/search.ts";
import { Field, Select } from "../../ui/field.tsx";

const PRIORITIES = ["low", "medium", "high", "urgent"] as const;

const PRIORITY_WORDS = { low: "Low", medium: "Medium", high: "High", urgent: "Urgent" } as const;

/** The field `priority` of a task's form. */
export function PriorityField({
  initial = "medium",
  error,
}: {
  readonly initial?: string | undefined;
  readonly error?: string | undefined;
}) {
  return (
    <Field label="Priority" error={error}>
      <Select name="priority" defaultValue={initial}>
        {PRIORITIES.map((priority) => (
          <option key={priority} value={priority}>
            {PRIORITY_WORDS[priority]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Reads a priority; undefined when the text is none. */
export function asPriority(text: string): (typeof PRIORITIES)[number] | undefined {
  return oneOf(text, PRIORITIES);
}
