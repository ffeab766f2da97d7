import { readPicked, useName } from "../pickers/records.ts";
import { assigneeValue } from "../tasks/assignee.ts";
import { visibleText } from "../../lib/visible-text.ts";
import type { Template } from "./records.ts";

/** The agent or team that gets the tasks. */
export function AssigneeName({ of }: { readonly of: Template }) {
  const picked = readPicked(assigneeValue(of) ?? "");
  const name = useName(picked);
  return (
    picked && (
      <span dir="auto" className="block truncate">
        {visibleText(name)}
      </span>
    )
  );
}
