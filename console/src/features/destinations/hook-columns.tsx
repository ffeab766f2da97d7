import { useState } from "react";
import {
  deleteWebhookSubscription,
  pauseWebhookSubscription,
  rotateWebhookSecret,
} from "#client/gen/operations/webhooks.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { ActiveChip } from "../../ui/active-chip.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { StateChip } from "../../ui/state.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { orTell } from "../../ui/messages.ts";
import { RecentHealth } from "./health-strip.tsx";
import { useHealth } from "./queries.ts";
import { eventLabel } from "./records.ts";
import type { Hook } from "./records.ts";

/** The webhook subscriptions: one event to one URL each. */
export const HOOK_COLUMNS: readonly Column<Hook>[] = [
  { head: "URL", cell: (hook) => <UrlCell hook={hook} /> },
  { head: "State", cell: (hook) => <HookState hook={hook} />, width: "w-28 max-sm:w-24" },
  { head: "Last 50 deliveries", cell: ({ id }) => <RecentHealth id={id} />, from: "md", width: "w-48" },
  { head: "Since", cell: ({ created_at: at }) => <Time at={at} />, from: "md", width: "w-32" },
  { head: "Actions", cell: (hook) => <HookMenu hook={hook} />, align: "end", width: "w-20 max-sm:w-15" },
];

/** Whether a subscription delivers: active, failing since its last delivery, or paused. */
function HookState({ hook: { id, is_active: isActive } }: { readonly hook: Hook }) {
  const last = useHealth()
    .data?.get(id)
    ?.find((status) => status !== "pending");
  if (isActive && last === "failed") return <StateChip state="failed">Failing</StateChip>;
  return <ActiveChip isActive={isActive} />;
}

function UrlCell({ hook }: { readonly hook: Hook }) {
  return (
    <>
      <Bdi className="line-clamp-1 font-medium wrap-anywhere max-sm:line-clamp-3">{hook.target_url}</Bdi>
      <span className="block truncate text-small text-ink-3">{eventLabel(hook.event)}</span>
    </>
  );
}

function HookMenu({ hook }: { readonly hook: Hook }) {
  const { id, target_url: url, is_active: isActive } = hook;
  const [secret, setSecret] = useState<string>();
  const blockedBy = useBlockedBy("member");
  const path = { id };
  const changed = useChanged("hooks");
  return (
    <>
      <RecordMenu
        name={url}
        blockedBy={blockedBy}
        deletion="Delete"
        removal={{
          title: "Delete this subscription?",
          action: "Delete subscription",
          effect: (
            <p>
              Nothing is sent to <Bdi>{url}</Bdi> any more. The log of its deliveries stays.
            </p>
          ),
          remove: () => call(deleteWebhookSubscription)(path).then(changed),
        }}
      >
        <MenuItem
          blockedBy={blockedBy}
          onSelect={() => orTell(call(pauseWebhookSubscription)(path, { is_active: !isActive }).then(changed))}
        >
          {isActive ? "Pause" : "Resume"}
        </MenuItem>
        <MenuItem
          blockedBy={blockedBy}
          onSelect={() => orTell(call(rotateWebhookSecret)(path).then((shown) => setSecret(shown.secret)))}
        >
          New secret
        </MenuItem>
      </RecordMenu>
      {secret !== undefined && (
        <OneTimeSecret title="New secret" label="Secret" secret={secret} onClose={() => setSecret(undefined)}>
          Deliveries are signed with it, and for a day with the old one as well. It is not shown again.
        </OneTimeSecret>
      )}
    </>
  );
}
