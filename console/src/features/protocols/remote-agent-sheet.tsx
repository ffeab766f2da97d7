import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, finish, read } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Field, FormError, Textarea } from "../../ui/field.tsx";
import { RetryIcon } from "../../ui/icons.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { ErrorState, LoadingRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { FactList, FactRow, IdFact } from "../run/inspector/fact-list.tsx";
import { ConnectionState } from "./connection-state.tsx";
import { useRemoteAgent } from "./queries.ts";
import type { RemoteAgent } from "./records.ts";
import { TestResult } from "./test-result.tsx";
import type { TestOutcome } from "./test-result.tsx";
import { useAction } from "./use-action.ts";

/** One remote agent: its card, its skills, a test, and the switch. */
export function RemoteAgentSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useRemoteAgent(id);
  return (
    <Sheet title={data?.name ?? "Remote agent"} description={data && <bdi>{data.base_url}</bdi>} onClose={onClose}>
      {data !== undefined ? (
        <Details agent={data} onClose={onClose} />
      ) : error === null ? (
        <LoadingRows rows={4} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Sheet>
  );
}

function Details({ agent, onClose }: { readonly agent: RemoteAgent; readonly onClose: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <Actions agent={agent} onClose={onClose} />
      {agent.card_error !== null && <FormError>{agent.card_error}</FormError>}
      {agent.description !== "" && <bdi className="block">{agent.description}</bdi>}
      <FactList>
        <FactRow name="Version">{agent.version}</FactRow>
        <FactRow name="A2A">{agent.protocol_version}</FactRow>
        <FactRow name="Token">{agent.has_token ? "Stored" : "None"}</FactRow>
        <FactRow name="Card fetched">
          <Time at={agent.card_fetched_at} />
        </FactRow>
        <IdFact name="Id" id={agent.id} />
      </FactList>
      <section aria-labelledby="skills">
        <h3 id="skills" className="pb-1 text-h3 font-semibold">
          Skills
        </h3>
        <ul className="flex flex-col gap-2">
          {agent.skills.map(({ id, name, description }) => (
            <li key={id}>
              <bdi className="block font-medium">{name}</bdi>
              <bdi className="block text-ink-2">{description}</bdi>
            </li>
          ))}
        </ul>
      </section>
      <TestForm id={agent.id} />
    </div>
  );
}

function Actions({ agent, onClose }: { readonly agent: RemoteAgent; readonly onClose: () => void }) {
  const { id, name, is_enabled: isEnabled, card_error: cardError } = agent;
  const blockedBy = useBlockedBy("admin");
  const client = useQueryClient();
  const { isBusy, error, start } = useAction();
  const [isDeleting, setDeleting] = useState(false);
  const params = { path: { id } };
  const changed = () => client.invalidateQueries({ queryKey: ["remote-agents"] });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ConnectionState isEnabled={isEnabled} error={cardError} />
        <div className="ms-auto flex flex-wrap gap-2">
          <Button
            size="small"
            icon={RetryIcon}
            isBusy={isBusy}
            blockedBy={blockedBy}
            onClick={() =>
              start(() => read(api.POST("/console/api/remote-agents/{id}/refresh", { params })).then(changed))
            }
          >
            Fetch card
          </Button>
          <Button
            size="small"
            blockedBy={blockedBy}
            onClick={() =>
              start(() =>
                read(api.PATCH("/console/api/remote-agents/{id}", { params, body: { is_enabled: !isEnabled } })).then(
                  changed,
                ),
              )
            }
          >
            {isEnabled ? "Turn off" : "Turn on"}
          </Button>
          <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </div>
      {error !== undefined && <FormError>{error}</FormError>}
      {isDeleting && (
        <Confirm
          title={`Delete the remote agent "${name}"?`}
          action="Delete remote agent"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await finish(api.DELETE("/console/api/remote-agents/{id}", { params }));
            await changed();
            onClose();
          }}
        >
          <p>Delegations to it that are in progress fail.</p>
        </Confirm>
      )}
    </>
  );
}

function TestForm({ id }: { readonly id: string }) {
  const [outcome, setOutcome] = useState<TestOutcome>();
  const blockedBy = useBlockedBy("member");
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const body = { message: textIn(values, "message") };
    setOutcome(await read(api.POST("/console/api/remote-agents/{id}/test", { params: { path: { id } }, body })));
  });
  const error = formError(["message"]);
  return (
    <form onSubmit={onSubmit} className="flex flex-col items-start gap-3">
      {error !== undefined && <FormError>{error}</FormError>}
      <div className="w-full">
        <Field
          label="Test message"
          error={errorOf("message")}
          help="It is sent for real; the answer is awaited for 30 s."
        >
          <Textarea name="message" required rows={2} defaultValue="Hello, what can you do?" />
        </Field>
      </div>
      <Button type="submit" isBusy={isBusy} blockedBy={blockedBy}>
        Send test
      </Button>
      {outcome !== undefined && (
        <div className="w-full">
          <TestResult outcome={outcome} />
        </div>
      )}
    </form>
  );
}
