import { oneOf } from "../../lib/search.ts";
import { SelectField } from "../../ui/fields.tsx";

const PRIORITIES = ["low", "medium", "high", "urgent"] as const;

const PRIORITY_WORDS = { low: "Low", medium: "Medium", high: "High", urgent: "Urgent" } as const;

/** The field `priority` of a task's form. */
export function PriorityField() {
  return <SelectField name="priority" label="Priority" defaultValue="medium" options={PRIORITY_WORDS} />;
}

/** Reads a priority; undefined when the text is none. */
export function asPriority(text: string): (typeof PRIORITIES)[number] | undefined {
  return oneOf(text, PRIORITIES);
}
