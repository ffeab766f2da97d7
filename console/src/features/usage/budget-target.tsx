import { useDrafted } from "../../forms/form-draft.ts";
import { oneOf } from "../../lib/search.ts";
import { Field } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { RecordField } from "../pickers/record-picker.tsx";

const SCOPE_LABELS = { workspace: "The whole workspace", agent: "An agent", team: "A team" } as const;

/** Whose spending a new budget caps. */
export function BudgetTarget({ scopes }: { readonly scopes: readonly (keyof typeof SCOPE_LABELS)[] }) {
  const [typed, setScope] = useDrafted("scope", "workspace");
  const scope = oneOf(typed, scopes) ?? "workspace";
  return (
    <div className={`grid gap-4 max-sm:grid-cols-1 ${scope === "workspace" ? "" : "grid-cols-2"}`}>
      <SelectField
        name="scope"
        label="Applies to"
        autoFocus
        value={scope}
        onChange={({ target }) => setScope(target.value)}
        options={SCOPE_LABELS}
      />
      {scope !== "workspace" && (
        <Field label={scope === "agent" ? "Agent" : "Team"} path="target_id">
          <RecordField key={scope} name="target" kinds={[scope]} />
        </Field>
      )}
    </div>
  );
}
