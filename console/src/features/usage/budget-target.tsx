import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchJson } from "../../api/fetch-json.ts";
import { Field, Select } from "../../ui/field.tsx";

const SCOPE_LABELS = { workspace: "The whole workspace", agent: "An agent", team: "A team" } as const;
const LISTS = { agent: "/functions/v1/api-agents?limit=200", team: "/functions/v1/api-teams?limit=200" } as const;

/** Whose spending a new budget caps. */
export function BudgetTarget({
  scopes,
  errorOf,
}: {
  readonly scopes: readonly (keyof typeof SCOPE_LABELS)[];
  readonly errorOf: (path: string) => string | undefined;
}) {
  const [scope, setScope] = useState<keyof typeof SCOPE_LABELS>("workspace");
  return (
    <div className={`grid gap-4 max-sm:grid-cols-1 ${scope === "workspace" ? "" : "grid-cols-2"}`}>
      <Field label="Applies to" error={errorOf("scope")}>
        <Select
          name="scope"
          autoFocus
          value={scope}
          onChange={({ target }) => setScope(scopes.find((each) => each === target.value) ?? "workspace")}
        >
          {scopes.map((each) => (
            <option key={each} value={each}>
              {SCOPE_LABELS[each]}
            </option>
          ))}
        </Select>
      </Field>
      {scope !== "workspace" && (
        <Field label={scope === "agent" ? "Agent" : "Team"} error={errorOf("target_id")}>
          <TargetSelect key={scope} scope={scope} />
        </Field>
      )}
    </div>
  );
}

function TargetSelect({ scope }: { readonly scope: "agent" | "team" }) {
  const { data = [] } = useQuery({
    queryKey: [`${scope}s`, "names"],
    queryFn: () => fetchJson<readonly { readonly id: string; readonly name: string }[]>(LISTS[scope]),
  });
  return (
    <Select name="target_id">
      {data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
