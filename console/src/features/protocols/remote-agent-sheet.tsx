import { useState } from "react";
import {
  deleteRemoteAgent,
  refreshRemoteAgent,
  testRemoteAgent,
  updateRemoteAgent,
} from "#client/gen/operations/remote-agents.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { FormError } from "../../ui/field.tsx";
import { TextareaField } from "../../ui/fields.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { Time } from "../../ui/time.tsx";
import { FactList, FactRow, IdFact } from "../../ui/fact-list.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { ConnectionState } from "./connection-state.tsx";
import { useRemoteAgent } from "./queries.ts";
import type { RemoteAgent } from "./records.ts";
import { TestResult } from "../../ui/test-result.tsx";
import type { TestOutcome } from "../../ui/test-result.tsx";

/** One remote agent: its card, its skills, a test, and the switch. */
export function RemoteAgentSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  return (
    <RecordSheet
      query={useRemoteAgent(id)}
      title={(agent) => agent?.name ?? "Remote agent"}
      description={(agent) => <Bdi>{agent.base_url}</Bdi>}
      onClose={onClose}
    >
      {(agent) => <Details agent={agent} onClose={onClose} />}
    </RecordSheet>
  );
}

function Details({ agent, onClose }: { readonly agent: RemoteAgent; readonly onClose: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <Actions agent={agent} onClose={onClose} />
      {agent.card_error !== null && <FormError>{agent.card_error}</FormError>}
      {agent.description !== "" && <Bdi className="block">{agent.description}</Bdi>}
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
              <Bdi className="block font-medium">{name}</Bdi>
              <Bdi className="block text-ink-2">{description}</Bdi>
            </li>
          ))}
        </ul>
      </section>
      <TestForm id={agent.id} />
    </div>
  );
}

function Actions({ agent, onClose }: { readonly agent: RemoteAgent; readonly onClose: () => void }) {
  return (
    <ConnectionActions
      kind="remote agent"
      record={agent}
      state={<ConnectionState isEnabled={agent.is_enabled} error={agent.card_error} />}
      refresh="Fetch card"
      requests={{
        refresh: () => call(refreshRemoteAgent)({ id: agent.id }),
        setEnabled: (isEnabled) => call(updateRemoteAgent)({ id: agent.id }, { is_enabled: isEnabled }),
        remove: () => call(deleteRemoteAgent)({ id: agent.id }),
      }}
      queryKey="remote-agents"
      effect="Delegations to it that are in progress fail."
      onClose={onClose}
    />
  );
}

function TestForm({ id }: { readonly id: string }) {
  const [outcome, setOutcome] = useState<TestOutcome>();
  const blockedBy = useBlockedBy("member");
  async function send(values: FormData): Promise<void> {
    const body = { message: textIn(values, "message") };
    setOutcome(await call(testRemoteAgent)({ id }, body));
  }
  return (
    <RecordForm
      draft={`remote-agent-test.${id}`}
      keepsDraft
      save={send}
      className="flex flex-col gap-3"
      actions={
        <>
          <SubmitButton className="self-start" blockedBy={blockedBy} look="plain">
            Send test
          </SubmitButton>
          {outcome !== undefined && <TestResult outcome={outcome} />}
        </>
      }
    >
      <TextareaField
        name="message"
        label="Test message"
        help="Sends a real message and waits up to 30 s for the reply."
        required
        rows={2}
        defaultValue="Hello, what can you do?"
      />
    </RecordForm>
  );
}
