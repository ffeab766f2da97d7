import { textIn } from "../../../forms/use-submit.ts";
import { oneOf } from "../../../lib/search.ts";
import { TextField } from "../../../ui/field.tsx";
import { Checkbox, SelectField, TextareaField } from "../../../ui/fields.tsx";
import { RecordDialog } from "../../../ui/record-dialog.tsx";
import { listOf } from "./body.ts";
import { conditionText, conditionsIn } from "./rule-words.ts";
import type { Rule } from "./rules.ts";

const ROLES = { "": "Nobody by role", member: "Members", admin: "Admins", owner: "Owners" } as const;
const ROLE_NAMES = ["member", "admin", "owner"] as const;
const ENDINGS = { fail: "The run fails", deny: "The call is denied", allow: "The call is allowed" } as const;
const ENDING_NAMES = ["fail", "deny", "allow"] as const;

/** Makes or changes a rule on approvals; the agent's form saves it. Its escalations stay as they are. */
export default function RuleDialog({
  rule,
  tools,
  onSave,
  onClose,
}: {
  readonly rule: Rule | undefined;
  readonly tools: readonly string[];
  readonly onSave: (rule: Rule) => void;
  readonly onClose: () => void;
}) {
  return (
    <RecordDialog
      title={rule === undefined ? "New rule" : "Rule"}
      action="Keep rule"
      draft={undefined}
      record={fieldsOf(rule)}
      save={async (values) => onSave(ruleIn(values, rule))}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextField name="name" label="Name" aside="optional" dir="auto" autoFocus />
      <WhenFields tools={tools} isFirstUse={rule?.when.first_use === true} />
      <AskFields rule={rule} />
    </RecordDialog>
  );
}

function WhenFields({ tools, isFirstUse }: { readonly tools: readonly string[]; readonly isFirstUse: boolean }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField name="tool" label="Calls of">
          <option value="">Any tool</option>
          {tools.map((tool) => (
            <option key={tool}>{tool}</option>
          ))}
        </SelectField>
        <TextField name="cost" label="Cost so far above" aside="USD, optional" inputMode="decimal" />
      </div>
      <TextareaField
        name="conditions"
        path="conditions"
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

function AskFields({ rule }: { readonly rule: Rule | undefined }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField name="role" label="Ask" options={ROLES} />
        <TextField name="people" label="And these people" aside="e-mail addresses" help="Separated by commas." />
        <TextField name="need" label="How many must approve" inputMode="numeric" />
        <TextField name="minutes" label="Minutes until the last deadline" inputMode="numeric" />
      </div>
      <SelectField name="ending" label="Then" options={ENDINGS} />
      <Checkbox name="starter" label="Who started the run may approve" defaultChecked={rule?.starter === true} />
      <Checkbox name="keys" label="A key counts as the person who made it" defaultChecked={rule?.keys === true} />
    </>
  );
}

/** A rule as its fields show it. */
function fieldsOf(rule: Rule | undefined) {
  const { name = "", when = {}, ask, need = 1, within_seconds: last = 86_400, else: ending = "fail" } = rule ?? {};
  return {
    name,
    tool: when.tool ?? "",
    cost: when.cost_above ?? "",
    conditions: (when.arguments ?? []).map(conditionText).join("\n"),
    role: rule === undefined ? "admin" : (ask?.role ?? ""),
    people: (ask?.people ?? []).join(", "),
    need,
    minutes: last / 60,
    ending,
  };
}

/** The rule of the fields. @throws Problem for a condition that is none */
function ruleIn(values: FormData, before: Rule | undefined): Rule {
  const text = (name: string) => textIn(values, name).trim();
  const conditions = conditionsIn(text("conditions"));
  const people = listOf(text("people"));
  const role = oneOf(text("role"), ROLE_NAMES);
  return {
    ...(before?.after !== undefined && { after: before.after }),
    ...(before?.denials !== undefined && { denials: before.denials }),
    ...(text("name") !== "" && { name: text("name") }),
    when: {
      ...(text("tool") !== "" && { tool: text("tool") }),
      ...(conditions.length > 0 && { arguments: conditions }),
      ...(text("cost") !== "" && { cost_above: Number(text("cost")) }),
      ...(values.has("first") && { first_use: true as const }),
    },
    ask: { ...(people.length > 0 && { people }), ...(role !== undefined && { role }) },
    need: Number(text("need")),
    within_seconds: Math.round(Number(text("minutes")) * 60),
    else: oneOf(text("ending"), ENDING_NAMES) ?? "fail",
    starter: values.has("starter"),
    keys: values.has("keys"),
  };
}
