import { textIn } from "../../../forms/use-submit.ts";
import { oneOf } from "../../../lib/search.ts";
import { TextField } from "../../../ui/field.tsx";
import { Checkbox, SelectField, TextareaField } from "../../../ui/fields.tsx";
import { RecordDialog } from "../../../ui/record-dialog.tsx";
import type { Removal } from "../../../ui/removal.tsx";
import { AskFields, askIn } from "./ask-fields.tsx";
import { EscalationFields, escalationsIn } from "./escalation-fields.tsx";
import { conditionText, conditionsIn } from "./rule-words.ts";
import type { Rule } from "./rules.ts";
import type { ToolChoice } from "./tool-choices.ts";

const ENDINGS = { fail: "The run fails", deny: "The call is denied", allow: "The call is allowed" } as const;
const ENDING_NAMES = ["fail", "deny", "allow"] as const;

/** Makes or changes a rule on approvals. */
export default function RuleDialog({
  rule,
  tools,
  action = "Keep rule",
  removal,
  blockedBy,
  onSave,
  onClose,
}: {
  readonly rule: Rule | undefined;
  /** The tools whose calls it may ask about. */
  readonly tools: readonly Pick<ToolChoice, "name" | "label">[];
  /** Names the button that saves; an agent's rules are saved with its form. */
  readonly action?: string;
  readonly removal?: Removal | undefined;
  readonly blockedBy?: string | undefined;
  readonly onSave: (rule: Rule) => void | Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <RecordDialog
      title={rule === undefined ? "New rule" : "Rule"}
      action={action}
      removal={removal}
      blockedBy={blockedBy}
      draft={undefined}
      record={fieldsOf(rule)}
      save={async (values) => onSave(ruleIn(values))}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextField name="name" label="Name" aside="optional" dir="auto" autoFocus />
      <WhenFields tools={withOwn(tools, rule?.when.tool)} isFirstUse={rule?.when.first_use === true} />
      <AskFields ask={rule === undefined ? { role: "admin" } : rule.ask} />
      <DecisionFields rule={rule} />
      <EscalationFields after={rule?.after ?? []} />
    </RecordDialog>
  );
}

/** A rule keeps its tool also while the others are not loaded yet, and when it is gone. */
function withOwn(tools: readonly Pick<ToolChoice, "name" | "label">[], own: string | undefined) {
  return own === undefined || tools.some(({ name }) => name === own) ? tools : [...tools, { name: own, label: own }];
}

function WhenFields({
  tools,
  isFirstUse,
}: {
  readonly tools: readonly Pick<ToolChoice, "name" | "label">[];
  readonly isFirstUse: boolean;
}) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField name="tool" path="when.tool" label="Calls of">
          <option value="">Any tool</option>
          {tools.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          name="cost"
          path="when.cost_above"
          label="Cost so far above"
          aside="USD, optional"
          inputMode="decimal"
        />
      </div>
      <TextareaField
        name="conditions"
        path={["conditions", "when.arguments"]}
        label="Conditions on arguments"
        aside="optional"
        help="One per line, such as /amount > 500. Operators: = != > < in matches."
        rows={2}
        spellCheck={false}
      />
      <Checkbox name="first" label="Only until the agent's first approved use" defaultChecked={isFirstUse} />
    </>
  );
}

function DecisionFields({ rule }: { readonly rule: Rule | undefined }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <TextField name="need" label="How many must approve" inputMode="numeric" />
        <TextField name="denials" label="How many denials deny" inputMode="numeric" />
        <TextField name="minutes" path="within_seconds" label="Minutes until the last deadline" inputMode="decimal" />
        <SelectField name="ending" path="else" label="Then" options={ENDINGS} />
      </div>
      <Checkbox name="starter" label="Who started the run may approve" defaultChecked={rule?.starter === true} />
      <Checkbox name="keys" label="A key counts as the person who made it" defaultChecked={rule?.keys === true} />
    </>
  );
}

/** A rule as its fields show it. */
function fieldsOf(rule: Rule | undefined) {
  const { name = "", when = {}, need = 1, denials = 1, within_seconds: last = 86_400, else: ending } = rule ?? {};
  return {
    name,
    tool: when.tool ?? "",
    cost: when.cost_above ?? "",
    conditions: (when.arguments ?? []).map(conditionText).join("\n"),
    need,
    denials,
    minutes: last / 60,
    ending: ending ?? "fail",
  };
}

/** The rule of the fields. @throws Problem for a condition that is none */
function ruleIn(values: FormData): Rule {
  const text = (name: string) => textIn(values, name).trim();
  const conditions = conditionsIn(text("conditions"));
  return {
    ...(text("name") !== "" && { name: text("name") }),
    when: {
      ...(text("tool") !== "" && { tool: text("tool") }),
      ...(conditions.length > 0 && { arguments: conditions }),
      ...(text("cost") !== "" && { cost_above: Number(text("cost")) }),
      ...(values.has("first") && { first_use: true as const }),
    },
    ask: askIn(values),
    after: [...escalationsIn(values)],
    need: Number(text("need")),
    denials: Number(text("denials")),
    within_seconds: Math.round(Number(text("minutes")) * 60),
    else: oneOf(text("ending"), ENDING_NAMES) ?? "fail",
    starter: values.has("starter"),
    keys: values.has("keys"),
  };
}
