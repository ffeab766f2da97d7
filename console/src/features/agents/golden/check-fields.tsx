import { useDrafted } from "../../../forms/form-draft.ts";
import { Field, TextField } from "../../../ui/field.tsx";
import { Checkbox, SelectField, TextareaField } from "../../../ui/fields.tsx";
import { DraftedJsonField } from "../../../ui/json-field.tsx";
import { RecordField } from "../../pickers/record-picker.tsx";
import { pickedValue } from "../../pickers/records.ts";
import { checkField } from "./checks.ts";
import type { GoldenCheck } from "./checks.ts";

const AGENTS = ["agent"] as const;
const UNITS = { absolute: "Absolute", percent: "Percent" } as const;

interface CheckFieldsProps {
  /** Names its fields. */
  readonly row: string;
  readonly type: GoldenCheck["type"];
  /** What is stored in this row. */
  readonly stored: GoldenCheck | undefined;
  /** Where the server names its issues with the check. */
  readonly path: string;
}

/** The fields of a check, by its type. */
export function CheckFields(props: CheckFieldsProps) {
  const { row, type, stored, path } = props;
  const at = (field: string) => ({ name: checkField(row, field), path: `${path}.${field}` });
  switch (type) {
    case "exact":
      return (
        <TextareaField {...at("value")} label="Text" aside="optional" help="Empty: the expected result." rows={2} />
      );
    case "contains":
      return (
        <>
          <TextareaField {...at("value")} label="Text" rows={2} />
          <Checkbox
            name={checkField(row, "ignore_case")}
            label="Ignore case"
            defaultChecked={stored?.type === "contains" && stored.ignore_case === true}
          />
        </>
      );
    case "pattern":
      return (
        <TextField
          {...at("pattern")}
          label="Regular expression"
          help="In the syntax of RE2. Some part of the result must match."
          dir="ltr"
          spellCheck={false}
          className="font-mono text-mono"
        />
      );
    case "json_schema":
      return <SchemaField {...at("schema")} stored={stored} />;
    case "numbers":
      return (
        <div className="grid grid-cols-2 gap-4">
          <TextField {...at("within")} label="Distance at most" inputMode="decimal" />
          <SelectField {...at("unit")} label="Unit" options={UNITS} />
        </div>
      );
    case "cost":
      return <TextField {...at("max_usd")} label="USD at most" inputMode="decimal" />;
    case "time":
      return <TextField {...at("max_ms")} label="Milliseconds at most" inputMode="numeric" />;
    case "tools":
      return <ToolsFields {...props} />;
    case "judge":
      return <JudgeFields {...props} />;
  }
}

function SchemaField({
  stored,
  ...at
}: Pick<CheckFieldsProps, "stored"> & { readonly name: string; readonly path: string }) {
  return (
    <DraftedJsonField
      {...at}
      label="JSON Schema"
      initial={stored?.type === "json_schema" ? JSON.stringify(stored.schema, null, 2) : ""}
      help="The result must be JSON that fits it."
      rows={3}
      placeholder='{"type": "object"}'
    />
  );
}

function ToolsFields({ row, stored, path }: CheckFieldsProps) {
  const of = checkField(row, "of");
  const isGiven = stored?.type === "tools" && stored.called !== undefined;
  const [chosen, choose] = useDrafted(of, isGiven ? "given" : "kept");
  return (
    <>
      <SelectField
        name={of}
        label="Which"
        value={chosen}
        onChange={({ target }) => choose(target.value)}
        options={{ kept: "Those of the kept run", given: "These" }}
      />
      {chosen === "given" && (
        <TextField
          name={checkField(row, "called")}
          path={`${path}.called`}
          label="Tools"
          help="In this order, separated by commas. Empty: none."
          spellCheck={false}
        />
      )}
    </>
  );
}

function JudgeFields({ row, stored, path }: CheckFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-4">
        <Field label="Judge" path={`${path}.agent_id`}>
          <RecordField
            name={checkField(row, "agent")}
            kinds={AGENTS}
            initial={stored?.type === "judge" ? pickedValue("agent", stored.agent_id) : undefined}
          />
        </Field>
        <TextField
          name={checkField(row, "votes")}
          path={`${path}.votes`}
          label="Votes"
          inputMode="numeric"
          defaultValue="1"
        />
      </div>
      <TextareaField
        name={checkField(row, "rubric")}
        path={`${path}.rubric`}
        label="Rubric"
        help="What makes the result pass. The judge also gets the task and what is expected."
        rows={3}
      />
    </>
  );
}
