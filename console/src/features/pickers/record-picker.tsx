import { use, useEffect, useState } from "react";
import { DraftContext } from "../../forms/draft-context.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { Combobox } from "../../ui/combobox.tsx";
import type { ComboboxOption } from "../../ui/combobox.tsx";
import { Select } from "../../ui/fields.tsx";
import { pickedValue, readPicked, useName, useNames } from "./records.ts";
import type { PickedKind } from "./records.ts";

const NOTHING: readonly string[] = [];
const GROUPS = { agent: "Agents", team: "Teams" } as const;

export interface RecordPickerProps {
  readonly kinds: readonly PickedKind[];
  /** As `pickedValue` writes it, empty for none; the first one is chosen while it is undefined. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  /** Is told what is chosen, also what is at first. */
  readonly onCurrent?: ((value: string) => void) | undefined;
  /** Of the form's field, where the form is read as a whole. */
  readonly name?: string | undefined;
  /** The label of no choice, where that is allowed. */
  readonly none?: string | undefined;
  /** Ids that are not offered. */
  readonly without?: readonly string[];
  readonly isDisabled?: boolean;
  readonly "aria-label"?: string;
}

/** Chooses an agent or a team: from the browser's own list, or, when there are many, by searching at the server. */
export function RecordPicker({ kinds, value, onChange, name, none, without = NOTHING, ...rest }: RecordPickerProps) {
  const [text, setText] = useState("");
  const settled = useSettled(text.trim());
  const listed = useChoices(kinds, "");
  const found = useChoices(kinds, settled);
  const current = value ?? listed.options[0]?.value ?? "";
  const picked = readPicked(current);
  const isListed = listed.options.some((option) => option.value === current);
  // What was found and chosen has its name here; another one's is read.
  const [own, setOwn] = useState<ComboboxOption>();
  const readName = useName(own?.value === current ? undefined : picked);
  const label = picked === undefined ? (none ?? "") : own?.value === current ? own.label : readName;
  const isOffered = (option: ComboboxOption) => !without.includes(readPicked(option.value)?.id ?? "");
  const { isDisabled = false, onCurrent, "aria-label": ariaLabel } = rest;
  const field = <Current name={name} value={current} onCurrent={onCurrent} />;
  if (listed.hasMore) {
    const nothing = none === undefined || text !== "" ? [] : [{ value: "", label: none }];
    return (
      <>
        {field}
        <Combobox
          aria-label={ariaLabel}
          value={current}
          chosen={label}
          options={[...nothing, ...found.options.filter(isOffered)]}
          text={text}
          isSearching={found.isStale || settled !== text.trim()}
          onText={setText}
          onChoose={(next) => {
            setOwn(found.options.find((option) => option.value === next));
            onChange(next);
          }}
          isDisabled={isDisabled}
        />
      </>
    );
  }
  return (
    <>
      {field}
      <Select
        aria-label={ariaLabel}
        value={current}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {picked !== undefined && !isListed && <option value={current}>{label}</option>}
        <ListedOptions kinds={kinds} options={listed.options.filter(isOffered)} />
      </Select>
    </>
  );
}

/** What is chosen. A form that is sent before the records are listed sends the choice of its draft all the same. */
function Current({
  name,
  value,
  onCurrent,
}: Pick<RecordPickerProps, "name" | "onCurrent"> & { readonly value: string }) {
  useEffect(() => onCurrent?.(value), [onCurrent, value]);
  return name === undefined ? null : <input type="hidden" name={name} value={value} />;
}

/** A {@link RecordPicker} in a form that is read as a whole. */
export function RecordField({
  initial,
  ...props
}: Omit<RecordPickerProps, "value" | "onChange"> & {
  readonly name: string;
  readonly initial?: string | undefined;
}) {
  const draft = use(DraftContext);
  const [value, setValue] = useState(() => draft?.valuesOf(props.name)?.[0] ?? initial);
  function choose(next: string): void {
    setValue(next);
    draft?.write(props.name, [next]);
  }
  return <RecordPicker {...props} value={value} onChange={choose} />;
}

function ListedOptions({
  kinds,
  options,
}: {
  readonly kinds: readonly PickedKind[];
  readonly options: readonly ComboboxOption[];
}) {
  return kinds.map((kind) => {
    const own = options.filter(({ group }) => group === GROUPS[kind]);
    const items = own.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));
    if (kinds.length === 1) return items;
    return (
      own.length > 0 && (
        <optgroup key={kind} label={GROUPS[kind]}>
          {items}
        </optgroup>
      )
    );
  });
}

function useChoices(kinds: readonly PickedKind[], q: string) {
  const agents = useNames("agent", q, kinds.includes("agent"));
  const teams = useNames("team", q, kinds.includes("team"));
  const found = { agent: agents, team: teams };
  const options = kinds.flatMap((kind) =>
    (found[kind]?.names ?? []).map(({ id, name }): ComboboxOption => {
      return { value: pickedValue(kind, id), label: name, group: GROUPS[kind] };
    }),
  );
  return {
    options,
    hasMore: kinds.some((kind) => found[kind]?.hasMore),
    isStale: kinds.some((kind) => found[kind]?.isStale),
  };
}
