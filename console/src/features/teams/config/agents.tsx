import { useState } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { CloseIcon } from "../../../ui/icons.ts";
import { RecordPicker } from "../../pickers/record-picker.tsx";
import { pickedValue, readPicked, useName } from "../../pickers/records.ts";
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
  const ids = idsAt(fields, control.name);
  // The key makes the control start again at its first option.
  const [added, setAdded] = useState(0);
  return (
    <Field {...field}>
      {ids.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={control.label}>
          {ids.map((id) => (
            <AgentChip
              key={id}
              id={id}
              isReadOnly={isReadOnly}
              onRemove={() => set(ids.filter((each) => each !== id))}
            />
          ))}
        </ul>
      )}
      <RecordPicker
        key={added}
        kinds={KINDS}
        none="Add an agent"
        value=""
        without={ids}
        onChange={(next) => {
          const picked = readPicked(next);
          if (picked === undefined) return;
          set([...ids, picked.id]);
          setAdded(added + 1);
        }}
        isDisabled={isReadOnly}
      />
    </Field>
  );
}

function AgentChip({
  id,
  isReadOnly,
  onRemove,
}: {
  readonly id: string;
  readonly isReadOnly: boolean;
  readonly onRemove: () => void;
}) {
  const name = useName({ kind: "agent", id });
  return (
    <li className="flex h-7 items-center gap-1 rounded-full bg-raised ps-3 pe-0.5 touch:h-11">
      <span dir="auto" className="max-w-48 truncate">
        {name}
      </span>
      <IconButton
        label={`Remove ${name}`}
        icon={CloseIcon}
        disabled={isReadOnly}
        className="size-6! rounded-full"
        onClick={onRemove}
      />
    </li>
  );
}
