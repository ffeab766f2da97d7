import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { redeliverDelivery } from "#client/gen/operations/deliveries.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { duration, shortId } from "../../lib/format.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { RetryIcon } from "../../ui/icon.tsx";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { Countdown, Time } from "../../ui/time.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { FactList, FactRow, IdFact } from "../../ui/fact-list.tsx";
import { DeliveryIcon, DeliveryState, deliveryLabel } from "./delivery-state.tsx";
import { useDelivery } from "./queries.ts";
import { eventLabel } from "./records.ts";
import type { DeliveryDetails } from "./records.ts";

/** One delivery: what was sent, what came back, attempt by attempt. */
export function DeliverySheet({
  id,
  onOpen,
  onClose,
}: {
  readonly id: string;
  /** Opens another delivery instead. */
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}) {
  return (
    <RecordSheet
      query={useDelivery(id)}
      title={() => "Delivery"}
      description={(delivery) => <Bdi>{delivery.target_name}</Bdi>}
      onClose={onClose}
    >
      {(delivery) => <Details delivery={delivery} onOpen={onOpen} />}
    </RecordSheet>
  );
}

function Details({ delivery, onOpen }: { readonly delivery: DeliveryDetails; readonly onOpen: (id: string) => void }) {
  const { slug } = useWorkspace();
  const { id, event, is_test: isTest, status, redelivery_of: origin, attempts } = delivery;
  const run = delivery.task_id ?? delivery.team_run_id;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center justify-between gap-2">
        <DeliveryState status={status} />
        <Redeliver id={id} isPrimary={status === "failed"} onSent={onOpen} />
      </div>
      <FactList>
        <FactRow name="What">{isTest ? "A test; nothing has run" : eventLabel(event)}</FactRow>
        <FactRow name="When">
          <Time at={delivery.created_at} />
        </FactRow>
        <FactRow name="Run">
          {run !== null && (
            <Link
              to="/w/$workspace/runs/$id"
              params={{ workspace: slug, id: run }}
              className="font-mono text-mono text-accent hover:underline"
            >
              {shortId(run)}
            </Link>
          )}
        </FactRow>
        <FactRow name="Sent again">
          {origin !== null && (
            <button
              type="button"
              onClick={() => onOpen(origin)}
              className="font-mono text-mono text-accent hover:underline"
            >
              {shortId(origin)}
            </button>
          )}
        </FactRow>
        <FactRow name="Next attempt">
          {delivery.next_attempt_at !== null && <Countdown until={delivery.next_attempt_at} />}
        </FactRow>
        <IdFact name="Id" id={id} />
      </FactList>
      {attempts.length === 0 && <p className="text-ink-2">No attempt has ended yet.</p>}
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
    </div>
  );
}

function Attempt({ attempt }: { readonly attempt: DeliveryDetails["attempts"][number] }) {
  const { attempt: n, status, http_code: code, error, duration_ms: ms, created_at: at, request, response } = attempt;
  return (
    <section aria-labelledby={`attempt-${n}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <DeliveryIcon status={status} />
        <h3 id={`attempt-${n}`} className="text-h3 font-semibold">
          Attempt {n}
        </h3>
        <span className="text-ink-2">
          {deliveryLabel(status)}
          {code !== null && `, HTTP ${code}`} · {duration(ms)} · <Time at={at} />
        </span>
      </div>
      {error !== null && <p className="text-failed">{error}</p>}
      <CodeBlock title="Request" text={request} />
      <CodeBlock title="Response" text={response} />
    </section>
  );
}

function Redeliver({
  id,
  isPrimary,
  onSent,
}: {
  readonly id: string;
  readonly isPrimary: boolean;
  readonly onSent: (id: string) => void;
}) {
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function send(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      const sent = await call(redeliverDelivery)({ id });
      await client.invalidateQueries({ queryKey: ["deliveries"] });
      onSent(sent.id);
    } catch (failure) {
      setError(asProblem(failure).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {error !== undefined && <FormError>{error}</FormError>}
      <Button
        look={isPrimary ? "primary" : "plain"}
        icon={RetryIcon}
        isBusy={isBusy}
        blockedBy={blockedBy}
        onClick={() => void send()}
      >
        Redeliver
      </Button>
    </>
  );
}
