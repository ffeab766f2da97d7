import { Field, TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { ChoicesError } from "../../ui/query-part.tsx";
import { pickedValue } from "../pickers/records.ts";
import { RecordField } from "../pickers/record-picker.tsx";
import { ASSIGNEE_KINDS } from "../tasks/assignee.ts";
import type { Alert, AlertKind } from "./kinds.ts";
import { useRouteNames } from "./queries.ts";

const THRESHOLDS: Readonly<Record<AlertKind, { readonly label: string; readonly example: string }>> = {
  failure_rate: { label: "Threshold in percent", example: "20" },
  cost_per_hour: { label: "Threshold in USD", example: "5" },
  question_age: { label: "Threshold in minutes", example: "30" },
  queue_age: { label: "Threshold in minutes", example: "10" },
  route_failing: { label: "Failed deliveries in a row", example: "3" },
};
const FILTERED: ReadonlySet<AlertKind> = new Set(["failure_rate", "cost_per_hour", "question_age"]);

/** The fields of an alert that depend on its kind. */
export function KindFields({ kind, alert }: { readonly kind: AlertKind; readonly alert: Alert | undefined }) {
  const { label, example } = THRESHOLDS[kind];
  return (
    <>
      <div className={`grid gap-4 max-sm:grid-cols-1 ${kind === "failure_rate" ? "grid-cols-3" : ""}`}>
        <TextField name="threshold" label={label} inputMode="decimal" required placeholder={example} />
        {kind === "failure_rate" && (
          <>
            <TextField name="window_minutes" label="Window in minutes" inputMode="numeric" defaultValue="60" />
            <TextField name="min_runs" label="Minimum of runs" inputMode="numeric" defaultValue="10" />
          </>
        )}
      </div>
      {FILTERED.has(kind) && (
        <Field label="Applies to" path={["agent_id", "team_id"]}>
          <RecordField name="of" kinds={ASSIGNEE_KINDS} initial={initialOf(alert)} none="Every agent and team" />
        </Field>
      )}
      {kind === "route_failing" && (
        <RouteField
          name="watched_route_id"
          label="Watched route"
          none="Any route"
          initial={alert?.watched_route_id ?? undefined}
        />
      )}
    </>
  );
}

function initialOf(alert: Alert | undefined): string {
  if (alert?.agent_id != null) return pickedValue("agent", alert.agent_id);
  return alert?.team_id != null ? pickedValue("team", alert.team_id) : "";
}

/** Chooses an output route. One that was deleted stays chosen until another one is. */
export function RouteField({
  none,
  initial,
  ...field
}: {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly none: string;
  readonly initial: string | undefined;
}) {
  const routes = useRouteNames();
  const isKnown = routes.data?.some(({ id }) => id === initial) === true;
  // The choice is one of the options that are there when it is drawn first.
  const key = routes.data === undefined ? "loading" : "loaded";
  return (
    <div>
      <SelectField key={key} {...field} defaultValue="">
        <option value="">{none}</option>
        {initial !== undefined && !isKnown && (
          <option value={initial}>{routes.data === undefined ? "…" : "Deleted route"}</option>
        )}
        {routes.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <ChoicesError query={routes} />
    </div>
  );
}
