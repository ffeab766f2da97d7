import { useDrafted } from "../../forms/form-draft.ts";
import { oneOf } from "../../lib/search.ts";
import { Field, Select } from "../../ui/field.tsx";
import { RecordField } from "../pickers/record-picker.tsx";

const SCOPE_LABELS = { workspace: "The whole workspace", agent: "An agent", team: "A team" } as const;

/** Whose spending a new budget caps. */
export function BudgetTarget({
  scopes,
  errorOf,
}: {
  readonly scopes: readonly (keyof typeof SCOPE_LABELS)[];
  readonly errorOf: (path: string) => string | undefined;
}) {
  const [typed, setScope] = useDrafted("scope", "workspace");
  const scope = oneOf(typed, scopes) ?? "workspace";
  return (
    <div className={`grid gap-4 max-sm:grid-cols-1 ${scope === "workspace" ? "" : "grid-cols-2"}`}>
      <Field label="Applies to" error={errorOf("scope")}>
        <Select name="scope" autoFocus value={scope} onChange={({ target }) => setScope(target.value)}>
          {scopes.map((each) => (
            <option key={each} value={each}>
              {SCOPE_LABELS[each]}
            </option>
          ))}
        </Select>
      </Field>
      {scope !== "workspace" && (
        <Field label={scope === "agent" ? "Agent" : "Team"} error={errorOf("target_id")}>
          <RecordField key={scope} name="target" kinds={[scope]} />
        </Field>
      )}
    </div>
  );
}
