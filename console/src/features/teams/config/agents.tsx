import { Field } from "../../../ui/field.tsx";
import { RecordPicker } from "../../pickers/record-picker.tsx";
import { RecordsPicker } from "../../pickers/records-picker.tsx";
import { pickedValue, readPicked } from "../../pickers/records.ts";
import { idsAt, textAt } from "./fields.ts";
import { fieldOf } from "./controls.tsx";
import type { Control } from "./controls.tsx";

const KINDS = ["agent"] as const;

/** One agent of the config. */
export function AgentControl({
  none = "Choose an agent",
  ...control
}: Control & {
  /** The label of no agent. */
  readonly none?: string;
}) {
  const { field, set } = fieldOf(control);
  const value = textAt(control.part.fields, control.name);
  return (
    <Field {...field}>
      <RecordPicker
        kinds={KINDS}
        none={none}
        value={value === "" ? "" : pickedValue("agent", value)}
        onChange={(next) => set(readPicked(next)?.id)}
        isDisabled={control.part.isReadOnly}
      />
    </Field>
  );
}

/** Several agents of the config, in their order. */
export function AgentsControl(control: Control) {
  const { field, set } = fieldOf(control);
  const { fields, isReadOnly } = control.part;
  return (
    <Field {...field}>
      <RecordsPicker
        kind="agent"
        label={control.label}
        ids={idsAt(fields, control.name)}
        onChange={set}
        isDisabled={isReadOnly}
      />
    </Field>
  );
}
