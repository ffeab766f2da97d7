import { useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { CloseIcon } from "../../ui/icons.ts";
import { RecordPicker } from "./record-picker.tsx";
import { readPicked, useNamesOf } from "./records.ts";
import type { PickedKind } from "./records.ts";

const WORDS = {
  agent: { kinds: ["agent"], add: "Add an agent" },
  team: { kinds: ["team"], add: "Add a team" },
} as const;

/** Chooses several agents or teams, in their order. */
export function RecordsPicker({
  kind,
  label,
  name,
  ids,
  onChange,
  isDisabled = false,
}: {
  readonly kind: PickedKind;
  readonly label: string;
  /** Of the form's fields, one for each id, where the form is read as a whole. */
  readonly name?: string;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly isDisabled?: boolean;
}) {
  // The key makes the control start again at its first option.
  const [added, setAdded] = useState(0);
  const nameOf = useNamesOf(kind, ids);
  function add(value: string): void {
    const picked = readPicked(value);
    if (picked === undefined) return;
    onChange([...ids, picked.id]);
    setAdded(added + 1);
  }
  const remove = (id: string) => onChange(ids.filter((each) => each !== id));
  return (
    <>
      {ids.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={label}>
          {ids.map((id) => (
            <Chip key={id} name={nameOf(id)} isDisabled={isDisabled} onRemove={() => remove(id)} />
          ))}
        </ul>
      )}
      {name !== undefined && ids.map((id) => <input key={id} type="hidden" name={name} value={id} />)}
      <RecordPicker
        key={added}
        kinds={WORDS[kind].kinds}
        none={WORDS[kind].add}
        value=""
        without={ids}
        onChange={add}
        isDisabled={isDisabled}
      />
    </>
  );
}

function Chip({
  name,
  isDisabled,
  onRemove,
}: {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly onRemove: () => void;
}) {
  return (
    <li className="flex h-7 items-center gap-1 rounded-full bg-raised ps-3 pe-0.5 touch:h-11">
      <span dir="auto" className="max-w-48 truncate">
        {name}
      </span>
      <IconButton
        label={`Remove ${name}`}
        icon={CloseIcon}
        disabled={isDisabled}
        className="size-6! rounded-full"
        onClick={onRemove}
      />
    </li>
  );
}
