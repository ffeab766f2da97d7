import { useQueryClient } from "@tanstack/react-query";
import { createAlert, getAlert, updateAlert } from "#client/gen/operations/alerts.ts";
import { call } from "../../api/client.ts";
import { useDrafted } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { showToast } from "../../ui/messages.ts";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { readPicked } from "../pickers/records.ts";
import { KindFields, RouteField } from "./alert-fields.tsx";
import { KIND_LABELS } from "./kinds.ts";
import type { Alert, AlertKind } from "./kinds.ts";

const KINDS = Object.keys(KIND_LABELS);

/** Creates or changes an alert. */
export function AlertDialog({ alert, onClose }: { readonly alert?: Alert; readonly onClose: () => void }) {
  const client = useQueryClient();
  async function save(values: FormData, { opened, changesOf }: Edited<Alert>): Promise<void> {
    const kind = opened?.kind ?? kindOf(textIn(values, "kind"));
    const body = bodyOf(kind, values);
    if (opened === undefined) await call(createAlert)({ ...body, kind });
    else await call(updateAlert)({ id: opened.id }, await changesOf(body));
    await client.invalidateQueries({ queryKey: ["alerts"] });
    showToast("Alert saved. It is checked now, and then once a minute.");
  }
  return (
    <RecordDialog
      title={alert === undefined ? "New alert" : alert.name}
      action="Save alert"
      draft={`alert.${alert?.id ?? "new"}`}
      record={alert}
      read={({ id }) => call(getAlert)({ id })}
      save={save}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextField name="name" label="Name" required autoFocus={alert === undefined} placeholder="Too many failures" />
      <ByKind alert={alert} />
      <RouteField
        name="route_id"
        label="Destination"
        none="None: Home shows it"
        initial={alert?.route_id ?? undefined}
        help="Gets a message when the alert fires, and one when it is resolved."
      />
    </RecordDialog>
  );
}

function ByKind({ alert }: { readonly alert: Alert | undefined }) {
  const [typed, setKind] = useDrafted("kind", "failure_rate");
  const kind = alert?.kind ?? kindOf(typed);
  return (
    <>
      {alert === undefined && (
        <SelectField
          name="kind"
          label="Watches"
          value={kind}
          onChange={({ target }) => setKind(target.value)}
          options={KIND_LABELS}
        />
      )}
      <KindFields key={kind} kind={kind} alert={alert} />
    </>
  );
}

function kindOf(text: string): AlertKind {
  return isKind(text) ? text : "failure_rate";
}

function isKind(text: string): text is AlertKind {
  return KINDS.includes(text);
}

function bodyOf(kind: AlertKind, values: FormData) {
  const of = readPicked(textIn(values, "of"));
  const hasWindow = kind === "failure_rate";
  return {
    name: textIn(values, "name"),
    threshold: numberIn(values, "threshold"),
    window_minutes: hasWindow ? numberIn(values, "window_minutes") : null,
    min_runs: hasWindow ? numberIn(values, "min_runs") : null,
    agent_id: of?.kind === "agent" ? of.id : null,
    team_id: of?.kind === "team" ? of.id : null,
    watched_route_id: textIn(values, "watched_route_id") || null,
    route_id: textIn(values, "route_id") || null,
  };
}

/** What is not a number is sent as -1, which the server rejects at the field. */
function numberIn(values: FormData, name: string): number {
  const number = Number(textIn(values, name).trim().replace(",", ".") || "-1");
  return Number.isNaN(number) ? -1 : number;
}
