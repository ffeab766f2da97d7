import { useState } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { CloseIcon } from "../../../ui/icons.ts";
import { RecordPicker } from "../../pickers/record-picker.tsx";
import { pickedValue, readPicked, useName } from "../../pickers/records.ts";
import { idsAt, textAt, withFields } from "./fields.ts";
import { useHasIssues, useIssue } from "./issues.tsx";
import type { Part } from "./controls.tsx";

const KINDS = ["agent"] as const;

/** One agent of the config. */
export function AgentControl({
  part,
  name,
  label,
  help,
  none,
}: {
  readonly part: Part;
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  /** The label of no agent, where that is allowed. */
  readonly none?: string;
}) {
  const { fields, onChange, path, isReadOnly } = part;
  const error = useIssue(`${path}.${name}`);
  const value = textAt(fields, name);
  return (
    <Field label={label} help={help} error={error}>
      <RecordPicker
        kinds={KINDS}
        none={none ?? "Choose an agent"}
        value={value === "" ? "" : pickedValue("agent", value)}
        onChange={(next) => onChange(withFields(fields, { [name]: readPicked(next)?.id }))}
        isDisabled={isReadOnly}
      />
    </Field>
  );
}

/** Several agents of the config, in their order. */
export function AgentsControl({
  part,
  name,
  label,
  help,
}: {
  readonly part: Part;
  readonly name: string;
  readonly label: string;
  readonly help?: string;
}) {
  const { fields, onChange, path, isReadOnly } = part;
  const ids = idsAt(fields, name);
  const set = (next: readonly string[]) => onChange(withFields(fields, { [name]: next }));
  const own = useIssue(`${path}.${name}`);
  const hasIssues = useHasIssues(`${path}.${name}`);
  // The key makes the control start again at its first option.
  const [added, setAdded] = useState(0);
  return (
    <Field label={label} help={help} error={own ?? (hasIssues ? "there is an unknown agent in this list" : undefined)}>
      {ids.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={label}>
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
