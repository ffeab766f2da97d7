import { Checkbox } from "../../../ui/fields.tsx";
import { AgentControl, AgentsControl } from "./agents.tsx";
import { ChoiceControl, LineControl, NumberControl } from "./controls.tsx";
import type { Part } from "./controls.tsx";
import { fieldsAt, booleanAt, textAt, withFields } from "./fields.ts";
import { StepList } from "./step-list.tsx";

const SPEAKERS = {
  round_robin: "In their order",
  llm_select: "A model chooses",
  facilitator: "The facilitator chooses",
} as const;
const ENDS = {
  max_turns: "After the last turn",
  consensus: "When all agree",
  facilitator_decision: "When the facilitator decides",
} as const;

/** The form of a mode's config. */
export interface ModeFormProps {
  readonly part: Part;
  /** The step of a pipeline whose settings are shown, by its index. */
  readonly openStep: number | undefined;
  readonly onOpenStep: (step: number | undefined) => void;
}

/** The steps of a pipeline, and whether it waits between them. */
export function PipelineForm({ part, openStep, onOpenStep }: ModeFormProps) {
  const { fields, onChange, isReadOnly } = part;
  return (
    <>
      <StepList part={part} open={openStep} onOpen={onOpenStep} />
      <Checkbox
        label="Wait for an approval between steps"
        disabled={isReadOnly}
        checked={!booleanAt(fields, "auto_handoff", true)}
        onChange={({ target }) => onChange(withFields(fields, { auto_handoff: !target.checked }))}
      />
    </>
  );
}

/** The brain, its workers, and the quality that it requires of them. */
export function OrchestratorForm({ part }: Pick<ModeFormProps, "part">) {
  return (
    <>
      <AgentControl
        part={part}
        name="brain_agent_id"
        label="Brain"
        help="Gives the work to the workers, judges the results, and answers."
      />
      <AgentsControl part={part} name="worker_agent_ids" label="Workers" />
      <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
        <NumberControl part={part} name="quality_threshold" label="Minimum score" otherwise={0.7} step={0.05} />
        <NumberControl part={part} name="max_delegation_depth" label="Maximum revisions" otherwise={3} />
        <NumberControl part={part} name="max_iterations" label="Maximum brain turns" otherwise={20} />
      </div>
    </>
  );
}

/** Who speaks, in which order, and when the discussion ends. */
export function CollaborationForm({ part }: Pick<ModeFormProps, "part">) {
  const { fields } = part;
  const end = textAt(fields, "termination_condition");
  const isLed = textAt(fields, "speaker_selection") === "facilitator" || end === "facilitator_decision";
  const hasFacilitator = textAt(fields, "facilitator_agent_id") !== "";
  return (
    <>
      <AgentsControl part={part} name="agent_ids" label="Speakers" help="At least two." />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <ChoiceControl
          part={part}
          name="speaker_selection"
          label="Who speaks next"
          options={SPEAKERS}
          otherwise="round_robin"
        />
        <ChoiceControl part={part} name="termination_condition" label="It ends" options={ENDS} otherwise="max_turns" />
        <NumberControl part={part} name="max_turns" label="Maximum turns" otherwise={10} />
        {end === "consensus" && (
          <LineControl
            part={part}
            name="consensus_phrase"
            label="Words of agreement"
            placeholder="I agree with the consensus"
          />
        )}
      </div>
      {(isLed || hasFacilitator) && (
        <AgentControl part={part} name="facilitator_agent_id" label="Facilitator" none="None" />
      )}
    </>
  );
}

/** Whether the team remembers its runs. */
export function MemoryForm({ part }: { readonly part: Part }) {
  const { fields, onChange, path, isReadOnly } = part;
  const memory = fieldsAt(fields, "memory");
  const isOn = booleanAt(memory, "enabled", false);
  const set = (next: typeof memory) => onChange(withFields(fields, { memory: next }));
  return (
    <>
      <Checkbox
        label="Remember runs, and give matching memories to later runs"
        disabled={isReadOnly}
        checked={isOn}
        onChange={({ target }) => set(withFields(memory, { enabled: target.checked }))}
      />
      {isOn && (
        <div className="w-48">
          <NumberControl
            part={{ fields: memory, onChange: set, path: `${path}.memory`, isReadOnly }}
            name="limit"
            label="Earlier runs at most"
            otherwise={3}
          />
        </div>
      )}
    </>
  );
}
