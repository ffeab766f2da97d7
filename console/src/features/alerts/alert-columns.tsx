import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { StateChip } from "../../ui/state.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { AlertMenu } from "./alert-menu.tsx";
import { KIND_LABELS, subjectLink, valueLabel } from "./kinds.ts";
import type { Alert } from "./kinds.ts";

/** The alerts: what they watch, whether they fire, and whom they tell. */
export const ALERT_COLUMNS: readonly Column<Alert>[] = [
  { head: "Name", cell: (alert) => <Name alert={alert} /> },
  { head: "State", cell: (alert) => <AlertState alert={alert} />, width: "w-28" },
  { head: "Value", cell: (alert) => <Value alert={alert} />, from: "sm", width: "w-40" },
  { head: "Destination", cell: (alert) => <Destination alert={alert} />, from: "md", width: "w-40" },
  { head: "Since", cell: ({ since }) => <Time at={since} />, from: "md", width: "w-32" },
  { head: "Actions", cell: (alert) => <Actions alert={alert} />, align: "end", width: "w-20 max-sm:w-15" },
];

function Name({ alert: { id, name, kind, target_name: target, last_value: value } }: { readonly alert: Alert }) {
  return (
    <>
      <Link to="." search={(before) => ({ ...before, alert: id })} data-row dir="auto" className={ROW_LINK}>
        {visibleText(name)}
      </Link>
      <span className="block truncate text-small text-ink-3">
        {KIND_LABELS[kind]}
        {target !== null && (
          <>
            {" · "}
            <Bdi>{target}</Bdi>
          </>
        )}
        {value !== null && <span className="sm:hidden"> · {valueLabel(kind, value)}</span>}
      </span>
    </>
  );
}

/** Above the link of the row. */
function Actions({ alert }: { readonly alert: Alert }) {
  return (
    <span className="relative z-1">
      <AlertMenu alert={alert} />
    </span>
  );
}

function AlertState({ alert: { is_enabled: isEnabled, state, last_checked_at: at } }: { readonly alert: Alert }) {
  if (!isEnabled) return <StateChip state="cancelled">Disabled</StateChip>;
  if (state === "firing") return <StateChip state="failed">Firing</StateChip>;
  return at === null ? <StateChip state="pending">Not checked</StateChip> : <StateChip state="completed">OK</StateChip>;
}

/** The last value, which leads to its subject, and the threshold below it. */
function Value({ alert }: { readonly alert: Alert }) {
  const { slug } = useWorkspace();
  const { kind, last_value: value, threshold } = alert;
  return (
    <>
      <Link {...subjectLink(alert, slug)} className="relative z-1 text-accent hover:underline">
        {valueLabel(kind, value)}
      </Link>
      <span className="block truncate text-small text-ink-3">fires at {valueLabel(kind, threshold)}</span>
    </>
  );
}

function Destination({ alert: { route_id: id, route_name: name } }: { readonly alert: Alert }) {
  if (name !== null) return <Bdi className="block truncate">{name}</Bdi>;
  return id === null ? (
    <span className="text-ink-3">Home only</span>
  ) : (
    <span className="text-failed">Deleted route</span>
  );
}
