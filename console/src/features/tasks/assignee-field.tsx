import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { RecordField } from "../pickers/record-picker.tsx";
import { readPicked, useNames } from "../pickers/records.ts";
import type { FoundNames } from "../pickers/records.ts";
import { ASSIGNEE_KINDS } from "./assignee.ts";

const PATHS = ["assigned_agent_id", "assigned_team_id"] as const;

/** Chooses the agent or team of a task, as the form's field `assignee`; leads to the first agent while there is none. */
export function AssigneeField({
  initial,
  none,
  onCurrent,
}: {
  /** As `assigneeValue` writes it. */
  readonly initial?: string | undefined;
  /** The label of no choice, where that is allowed. */
  readonly none?: string;
  /** Is told what is chosen, as `assigneeValue` writes it. */
  readonly onCurrent?: (value: string) => void;
}) {
  const agents = useNames("agent");
  const teams = useNames("team");
  const { slug } = useWorkspace();
  const isLoaded = agents !== undefined && teams !== undefined;
  const isGone = isLoaded && initial !== undefined && !isOffered(initial, agents, teams);
  if (agents?.names.length === 0 && teams?.names.length === 0) {
    return (
      <p className="text-ink-2">
        There is no agent yet.{" "}
        <Link to="/w/$workspace" params={{ workspace: slug }} className="text-accent underline underline-offset-2">
          Create the first one
        </Link>
      </p>
    );
  }
  return (
    <Field label="Agent or team" path={PATHS}>
      <RecordField
        // It starts over once it is known that the first choice was deleted.
        key={String(isGone)}
        name="assignee"
        kinds={ASSIGNEE_KINDS}
        initial={isGone && none !== undefined ? "" : initial}
        none={none}
        // Not one that may have been deleted.
        onCurrent={isLoaded ? onCurrent : undefined}
        isDisabled={!isLoaded}
      />
    </Field>
  );
}

/** Whether a choice is among the records, as far as they are listed. */
function isOffered(value: string, agents: FoundNames, teams: FoundNames): boolean {
  const picked = readPicked(value);
  const found = picked?.kind === "team" ? teams : agents;
  return found.hasMore || found.names.some(({ id }) => id === picked?.id);
}
