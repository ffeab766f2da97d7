import { useState } from "react";
import { useIssue } from "../../forms/form-context.ts";
import { useDrafted, useDraftedList } from "../../forms/form-draft.ts";
import { Field } from "../../ui/field.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { RecordsPicker } from "../pickers/records-picker.tsx";
import { SURFACE_LABELS, surfacesOf } from "./key-limits.ts";
import type { Limits } from "./key-limits.ts";
import { NetworksField } from "./networks-field.tsx";
import type { ApiKey } from "./queries.ts";

const UNLIMITED: Limits = { surfaces: null, agents: null, teams: null, networks: null };
const NOTHING: readonly string[] = [];

/** What a key is limited to; open from the start for a key that has limits. */
export function KeyLimitFields({
  kind,
  limits = UNLIMITED,
}: {
  readonly kind: ApiKey["kind"];
  readonly limits?: Limits;
}) {
  const [surfaces] = useDraftedList("surfaces", limits.surfaces ?? NOTHING);
  const [agents, setAgents] = useDraftedList("agents", limits.agents ?? NOTHING);
  const [teams, setTeams] = useDraftedList("teams", limits.teams ?? NOTHING);
  const [networks] = useDrafted("networks", limits.networks?.join("\n") ?? "");
  const isLimited = agents.length + teams.length > 0;
  const [isOpen, setOpen] = useState(isLimited || surfaces.length > 0 || networks !== "");
  const hasIssue = useIssue("surfaces", "agents", "teams", "networks") !== undefined;
  return (
    <details className="box" open={isOpen || hasIssue} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="px-3 py-2 font-medium touch:py-3">Limits</summary>
      <div className="flex flex-col gap-4 border-t border-line p-3">
        <SurfaceFields kind={kind} chosen={limits.surfaces ?? NOTHING} />
        <Field label="Agents" path="agents">
          <RecordsPicker kind="agent" label="Agents" name="agents" ids={agents} onChange={setAgents} />
        </Field>
        <Field label="Teams" path="teams">
          <RecordsPicker kind="team" label="Teams" name="teams" ids={teams} onChange={setTeams} />
        </Field>
        <p className="text-small text-ink-3">
          {isLimited
            ? "The key can start, read, answer, stop and delete the runs of these only. The rest of the workspace is closed to it, including the settings."
            : "With no agent or team chosen, the key reaches the whole workspace."}
        </p>
        <NetworksField networks={limits.networks} />
      </div>
    </details>
  );
}

/** The surfaces of a kind of key, where it opens several. */
function SurfaceFields({ kind, chosen }: { readonly kind: ApiKey["kind"]; readonly chosen: readonly string[] }) {
  const error = useIssue("surfaces");
  const surfaces = surfacesOf(kind);
  if (surfaces.length === 1) return null;
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1.5 font-medium">Surfaces</legend>
      {surfaces.map((surface) => (
        <Checkbox
          key={surface}
          name="surfaces"
          value={surface}
          label={SURFACE_LABELS[surface]}
          defaultChecked={chosen.includes(surface)}
        />
      ))}
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
      <p className="text-small text-ink-3">With none chosen, the key opens all of them.</p>
    </fieldset>
  );
}
