import { useState } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { CloseIcon } from "../../../ui/icons.tsx";
import { useAgents } from "../../agents/queries.ts";
import { idsAt, textAt, withFields } from "./fields.ts";
import { useHasIssues, useIssue } from "./issues.tsx";
import type { Part } from "./controls.tsx";

/** The name of an agent by its id; the beginning of the id while it is not known. */
export function useAgentName(): (id: string) => string {
  const { data } = useAgents();
  return (id) => data?.find((agent) => agent.id === id)?.name ?? id.slice(0, 8);
}

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
  /** The words for no agent, where that is allowed. */
  readonly none?: string;
}) {
  const { fields, onChange, path, isReadOnly } = part;
  const agents = useAgents().data ?? [];
  const error = useIssue(`${path}.${name}`);
  const value = textAt(fields, name);
  return (
    <Field label={label} help={help} error={error}>
      <Select
        disabled={isReadOnly}
        value={value}
        onChange={({ target }) =>
          onChange(withFields(fields, { [name]: target.value === "" ? undefined : target.value }))
        }
      >
        <option value="">{none ?? "Choose an agent"}</option>
        {value !== "" && !agents.some(({ id }) => id === value) && <option value={value}>{value.slice(0, 8)}</option>}
        {agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.name}
          </option>
        ))}
      </Select>
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
  const agents = useAgents().data ?? [];
  const nameOf = useAgentName();
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
            <li key={id} className="flex h-7 items-center gap-1 rounded-full bg-raised ps-3 pe-0.5 touch:h-11">
              <span dir="auto" className="max-w-48 truncate">
                {nameOf(id)}
              </span>
              <IconButton
                label={`Remove ${nameOf(id)}`}
                icon={CloseIcon}
                disabled={isReadOnly}
                className="size-6! rounded-full"
                onClick={() => set(ids.filter((each) => each !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      <Select
        key={added}
        disabled={isReadOnly}
        value=""
        onChange={({ target }) => {
          if (target.value === "") return;
          set([...ids, target.value]);
          setAdded(added + 1);
        }}
      >
        <option value="">Add an agent</option>
        {agents
          .filter(({ id }) => !ids.includes(id))
          .map((agent) => (
            <option key={agent.id} value={agent.id}>
              {agent.name}
            </option>
          ))}
      </Select>
    </Field>
  );
}
