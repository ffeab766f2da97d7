import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { decideAppRequest, readAppRequest } from "#client/gen/operations/accounts.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../api/client.ts";
import { asProblem } from "../api/problem.ts";
import { useAccess } from "../api/use-session.ts";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { textIn } from "../forms/use-submit.ts";
import { useJustShown } from "../lib/use-just-shown.ts";
import { visibleText } from "../lib/visible-text.ts";
import { Bdi } from "../ui/bdi.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox, SelectField } from "../ui/fields.tsx";
import { Form, FormProblem, SubmitButton } from "../ui/form.tsx";
import { orTell } from "../ui/messages.ts";
import { useIsSlow } from "../ui/states.tsx";

type Asked = components["schemas"]["AppRequest"];

/** Where a person allows a program to use a workspace, or denies it. */
export function ConnectAppPage() {
  const { uid } = useParams({ from: "/connect/$uid" });
  const isSlow = useIsSlow();
  const { data, error } = useQuery({
    queryKey: ["app-request", uid],
    queryFn: () => call(readAppRequest)({ uid }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error !== null) {
    return (
      <AccountPage title="The app can't be connected" intro={asProblem(error).message}>
        {null}
      </AccountPage>
    );
  }
  if (data === undefined) return isSlow ? <AccountPage title="Checking the request">{null}</AccountPage> : null;
  return <Consent uid={uid} asked={data} />;
}

function Consent({ uid, asked }: { readonly uid: string; readonly asked: Asked }) {
  const { user } = useAccess();
  const { name, redirect_host: host } = asked.client;
  const isJustShown = useJustShown();
  async function allow(values: FormData): Promise<void> {
    if (isJustShown()) throw new Error("This page has just come to the front. Read it, then allow it again.");
    const scopes = asked.scopes.filter((scope) => scope === "read" || textIn(values, "scopes") === "write");
    const chosen = values.getAll("agents").map(String);
    const agents = chosen.length === 0 ? null : chosen;
    const body = { decision: "allow", workspace_id: textIn(values, "workspace_id"), scopes, agents } as const;
    await leave(call(decideAppRequest)({ uid }, body));
  }
  return (
    <AccountPage
      title={`Connect ${visibleText(name)}`}
      intro="It asks to use the agents of a workspace in your name. Its name is its own claim: check where it returns to."
      footer={`Signed in as ${user.email}`}
    >
      <Form act={allow}>
        <Facts host={host} clientId={asked.client.client_id} />
        <WorkspaceFields workspaces={asked.workspaces} />
        <ScopeField scopes={asked.scopes} />
        <FormProblem />
        <div className="mt-1 flex flex-col gap-2">
          <SubmitButton size="large">Allow</SubmitButton>
          <Button size="large" onClick={() => orTell(leave(call(decideAppRequest)({ uid }, { decision: "deny" })))}>
            Deny
          </Button>
        </div>
        <p className="text-small text-ink-3">
          It gets no password, and never more rights than you have. Disconnect it at any time under Settings, API keys.
        </p>
      </Form>
    </AccountPage>
  );
}

function Facts({ host, clientId }: { readonly host: string; readonly clientId: string }) {
  const isUrl = clientId.startsWith("https://");
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-panel border border-line px-3 py-2.5">
      <dt className="text-ink-2">Returns to</dt>
      <dd className="min-w-0 font-medium break-words">{visibleText(host)}</dd>
      <dt className="text-ink-2">Published by</dt>
      <dd className="min-w-0 break-words">{isUrl ? new URL(clientId).host : "unknown, it registered itself"}</dd>
    </dl>
  );
}

function WorkspaceFields({ workspaces }: Pick<Asked, "workspaces">) {
  const { workspace_id: current } = useAccess();
  const [chosen, setChosen] = useState(current);
  const agents = workspaces.find(({ id }) => id === chosen)?.agents ?? [];
  return (
    <>
      <SelectField
        name="workspace_id"
        label="Workspace"
        value={chosen}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {workspaces.map(({ id, name, role }) => (
          <option key={id} value={id}>
            {visibleText(name)} ({role})
          </option>
        ))}
      </SelectField>
      <AgentsField key={chosen} agents={agents} />
    </>
  );
}

/** The agents to which the program is limited: all published ones, also later, unless the person chooses some. */
function AgentsField({ agents }: Pick<Asked["workspaces"][number], "agents">) {
  const [count, setCount] = useState(0);
  if (agents.length === 0) return <p className="text-small text-ink-3">No agent is published there yet.</p>;
  return (
    <details className="box">
      <summary className="px-3 py-2 touch:py-3">
        <span className="font-medium">Agents</span> <span className="text-ink-2">{describeLimit(count)}</span>
      </summary>
      <fieldset
        className="flex max-h-60 flex-col overflow-y-auto border-t border-line px-3 py-2"
        onChange={({ currentTarget }) => setCount(currentTarget.querySelectorAll(":checked").length)}
      >
        <legend className="sr-only">Agents</legend>
        {agents.map(({ id, name }) => (
          <Checkbox key={id} name="agents" value={id} label={<Bdi>{name}</Bdi>} />
        ))}
      </fieldset>
    </details>
  );
}

function describeLimit(count: number): string {
  return count === 0 ? "all published ones, now and later" : `only ${count} of them`;
}

function ScopeField({ scopes }: Pick<Asked, "scopes">) {
  const mayWrite = scopes.includes("write");
  const help = mayWrite
    ? "Each call starts work. Answers given in the app count as yours."
    : "It sees which agents there are, and starts nothing.";
  return (
    <SelectField name="scopes" label="Permission" help={help}>
      {mayWrite && <option value="write">Read, and start work</option>}
      <option value="read">Read only</option>
    </SelectField>
  );
}

/** Goes on at the authorization server, which leads back to the program. */
async function leave(decided: Promise<{ readonly url: string }>): Promise<void> {
  location.assign((await decided).url);
}
