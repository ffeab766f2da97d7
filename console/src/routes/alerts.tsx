import { useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { AlertDialog } from "../features/alerts/alert-dialog.tsx";
import { ALERT_COLUMNS } from "../features/alerts/alert-columns.tsx";
import { ALERTS_PATH, useAlert, useAlerts } from "../features/alerts/queries.ts";
import { readAlertsSearch } from "../features/alerts/search.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { curlLine } from "../lib/curl-line.ts";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import { TextSearch } from "../ui/text-search.tsx";

const OPEN = { alert: "new" };
const EXAMPLE = { name: "Too many failures", kind: "failure_rate", threshold: 20 };
const CREATE = {
  title: "Create an alert",
  method: "POST",
  path: ALERTS_PATH,
  body: EXAMPLE,
  command: 'alerts create --name "Too many failures" --kind failure_rate --from 20',
} as const;

/** The rules that say when something goes wrong, and their states. */
export function AlertsPage() {
  const { q, alert: shown } = readAlertsSearch(useSearch({ from: "/w/$workspace/alerts" }));
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("member");
  const pages = useAlerts(q);
  const edited = useAlert(shown ?? "", shown !== undefined && shown !== "new").data;
  useApiCalls([{ title: "List alerts", method: "GET", path: ALERTS_PATH, command: "alerts list" }, CREATE]);
  const close = () => void navigate({ to: ".", search: (before) => ({ ...before, alert: undefined }) });
  return (
    <Page title="Alerts" actions={<NewAlert />}>
      <TextSearch label="Name or id" q={q} />
      <RecordList
        label="Alerts"
        pages={pages}
        columns={ALERT_COLUMNS}
        noMatch={q !== undefined && "No alert matches"}
        empty={
          <Empty title="No alerts yet" action={<NewAlert />} command={curlLine(ALERTS_PATH, EXAMPLE)}>
            An alert says when runs fail, cost too much or wait too long: here, on Home, and at a destination.
          </Empty>
        }
      />
      {blockedBy === undefined && shown === "new" && <AlertDialog onClose={close} />}
      {blockedBy === undefined && shown !== undefined && edited !== undefined && (
        <AlertDialog key={edited.id} alert={edited} onClose={close} />
      )}
    </Page>
  );
}

function NewAlert() {
  return (
    <OpenLink needs="member" search={OPEN}>
      New alert
    </OpenLink>
  );
}
