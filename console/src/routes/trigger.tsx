import { useParams, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { FactList, FactRow } from "../ui/fact-list.tsx";
import { PlannedPage } from "../features/schedules/planned-page.tsx";
import { readPlannedSearch } from "../features/schedules/search.ts";
import { TaskFacts } from "../features/schedules/task-facts.tsx";
import { useTrigger, useTriggerDeliveries } from "../features/triggers/queries.ts";
import { curlLine } from "../features/triggers/records.ts";
import type { Trigger } from "../features/triggers/records.ts";
import { TriggerActions } from "../features/triggers/trigger-actions.tsx";
import { TRIGGER_DELIVERY_COLUMNS } from "../features/triggers/trigger-delivery-columns.tsx";
import { TriggerForm } from "../features/triggers/trigger-form.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { Command, Empty } from "../ui/states.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const LIST = { to: "/w/$workspace/triggers", label: "Triggers" } as const;
const FROM = "/w/$workspace/triggers/$id";

/** One trigger: how to deliver to it, and what was delivered. */
export function TriggerPage() {
  const { id } = useParams({ from: FROM });
  const { data: trigger, error, refetch } = useTrigger(id);
  if (trigger === undefined) {
    return <PendingPage noun="Trigger" list={LIST} error={error} onRetry={() => void refetch()} />;
  }
  return <Shown trigger={trigger} />;
}

function Shown({ trigger }: { readonly trigger: Trigger }) {
  const { id } = trigger;
  const search = readPlannedSearch(useSearch({ from: FROM }));
  const navigate = usePageNavigate({ from: FROM });
  const blockedBy = useBlockedBy("member");
  const deliveries = useTriggerDeliveries(id);
  const close = () => void navigate({ search: (before) => ({ ...before, edit: undefined }) });
  const path = `/console/api/triggers/${id}`;
  useApiCalls([
    { title: "Read this trigger", method: "GET", path },
    { title: "Read its deliveries", method: "GET", path: `${path}/deliveries` },
    { title: "Give it a new URL", method: "POST", path: `${path}/rotate` },
  ]);
  return (
    <PlannedPage
      of={trigger}
      above={<BackLink {...LIST} />}
      actions={<TriggerActions trigger={trigger} />}
      facts={<Facts trigger={trigger} />}
      aside={{
        title: "Send a delivery",
        content: (
          <>
            <Command text={curlLine("$MUSTER_TRIGGER_URL")} />
            <p className="pt-2 text-small text-ink-3">
              The URL was shown once; create a new one if you lost it. Send a delivery again with the same
              Idempotency-Key, and it creates no second task.
            </p>
          </>
        ),
      }}
      log={{
        title: "Deliveries",
        list: (
          <RecordList
            label="Deliveries"
            pages={deliveries}
            columns={TRIGGER_DELIVERY_COLUMNS}
            empty={<Empty title="No deliveries yet">What is sent to the URL is listed here, accepted or not.</Empty>}
          />
        ),
      }}
      form={search.edit !== undefined && blockedBy === undefined && <TriggerForm trigger={trigger} onClose={close} />}
    />
  );
}

function Facts({ trigger }: { readonly trigger: Trigger }) {
  const { token_prefix: prefix, has_secret: hasSecret } = trigger;
  return (
    <FactList>
      <FactRow name="URL">
        <span className="font-mono text-mono">/hooks/in/{prefix}…</span>
      </FactRow>
      <FactRow name="Signature">{hasSecret ? "Required" : "Not required"}</FactRow>
      <TaskFacts of={trigger} />
    </FactList>
  );
}
