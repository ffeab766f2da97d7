import { AgentControl, AgentsControl } from "./agents.tsx";
import { ChoiceControl, LineControl, NumberControl, TextControl } from "./controls.tsx";
import type { Part } from "./controls.tsx";
import { textAt } from "./fields.ts";

const TYPES = {
  sequential: "One agent",
  fan_out: "Fan-out: several agents in parallel",
} as const;
const FAILURES = {
  stop: "Stop the run",
  retry: "Retry the step",
  skip: "Skip the step",
} as const;
const BRANCH_FAILURES = {
  fail_fast: "Fail the step at once",
  continue_on_partial: "Continue with the others",
} as const;

/** Everything that can be set of a step. */
export function StepFields({ part }: { readonly part: Part }) {
  const { fields } = part;
  const isFanOut = textAt(fields, "type") === "fan_out";
  return (
    <div className="flex flex-col gap-4 border-t border-line p-4">
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <LineControl part={part} name="step_name" label="Name" />
        <ChoiceControl part={part} name="type" label="Done by" options={TYPES} otherwise="sequential" />
      </div>
      {isFanOut ? <Branches part={part} /> : <AgentControl part={part} name="agent_id" label="Agent" />}
      <TextControl part={part} name="instructions" label="Instructions" />
      <TextControl part={part} name="expected_output" label="Expected output" rows={2} />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <ChoiceControl part={part} name="on_failure" label="When it fails" options={FAILURES} otherwise="stop" />
        {textAt(fields, "on_failure") === "retry" && (
          <NumberControl part={part} name="max_retries" label="Retries at most" otherwise={1} />
        )}
      </div>
    </div>
  );
}

function Branches({ part }: { readonly part: Part }) {
  const hasMerger = textAt(part.fields, "merge_agent_id") !== "";
  return (
    <div className="flex flex-col gap-4 border-s-2 border-line ps-4">
      <AgentsControl part={part} name="parallel_agents" label="Branches" help="Each of them works on the same input." />
      <ChoiceControl
        part={part}
        name="fan_out_failure"
        label="When a branch fails"
        options={BRANCH_FAILURES}
        otherwise="fail_fast"
      />
      <AgentControl
        part={part}
        name="merge_agent_id"
        label="Merge"
        none="Put the results together as they are"
        help="An agent that makes one result of theirs."
      />
      {hasMerger && <TextControl part={part} name="merge_instructions" label="Instructions of the merge" rows={2} />}
    </div>
  );
}
