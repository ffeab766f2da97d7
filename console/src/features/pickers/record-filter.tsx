import { useState } from "react";
import { useSettled } from "../../lib/use-settled.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { FilterButton } from "../../ui/filters.tsx";
import { Menu, MenuChoice, MenuSearch } from "../../ui/menu.tsx";
import { useName, useNames } from "./records.ts";
import type { PickedKind } from "./records.ts";

const LABELS = { agent: "Agent", team: "Team" } as const;
const ANY = "";

/** Narrows a list to one agent or team; where there are many, the menu searches them at the server. */
export function RecordFilter({
  kind,
  value,
  onChange,
}: {
  readonly kind: PickedKind;
  /** The id of the chosen one. */
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}) {
  const [text, setText] = useState("");
  const all = useNames(kind);
  const found = useNames(kind, useSettled(text.trim()))?.names ?? [];
  const name = useName({ kind, id: value ?? "" });
  const label = LABELS[kind];
  if (all?.names.length === 0) return null;
  return (
    <Menu align="start" trigger={<FilterButton label={label} value={value === undefined ? "" : name} />}>
      {all?.hasMore === true && <MenuSearch label={`Find ${label.toLowerCase()}s`} text={text} onText={setText} />}
      <MenuChoice
        value={value ?? ANY}
        options={[
          { value: ANY, label: `Any ${label.toLowerCase()}` },
          ...found.map((each) => ({ value: each.id, label: <Bdi>{each.name}</Bdi> })),
        ]}
        onChange={(id) => onChange(id === ANY ? undefined : id)}
      />
    </Menu>
  );
}
