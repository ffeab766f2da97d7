import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { createAgent } from "#client/gen/operations/agents.ts";
import { call } from "../api/client.ts";
import { Problem } from "../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { AgentFields } from "../features/agents/form/agent-fields.tsx";
import { bodyOf } from "../features/agents/form/body.ts";
import type { AgentDraft } from "../features/agents/form/draft.ts";
import type { NewAgentSearch } from "../features/agents/search.ts";
import { useNewDraft } from "../features/agents/form/use-draft.ts";
import { storeComposerText } from "../features/records/composer-text.ts";
import { exampleOf, templatesQuery } from "../features/templates/queries.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { given } from "../lib/given.ts";
import type { ApiCall } from "../lib/api-calls.ts";
import { loadPart } from "../lib/load-part.ts";
import { shellQuoted } from "../lib/shell-quoted.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Form, FormProblem, SubmitButton } from "../ui/form.tsx";
import { showToast, undoWith } from "../ui/messages.ts";
import { Page } from "../ui/page.tsx";

const AgentTemplates = lazy(() => loadPart(() => import("../features/templates/agent-templates.tsx")));

/** The form of a new agent, with the demo model preselected, so that it works immediately. */
export function NewAgentPage() {
  const navigate = useNavigate();
  const { template, from } = useSearch({ from: "/w/$workspace/agents/new" });
  const blockedBy = useBlockedBy("member");
  const { draft, set, changed, discard, removeStored } = useNewDraft();
  const create = useCreate(from);
  function show(search: NewAgentSearch): void {
    void navigate({ to: ".", search, replace: true });
  }
  function fillIn(id: string, values: Partial<AgentDraft>): void {
    const before = draft;
    set(values);
    show({ from: id });
    if (changed.length > 0)
      showToast(
        "The template has replaced what was in the form.",
        undoWith(() => set(before)),
      );
  }
  useApiCalls([createCall(draft)]);
  return (
    <Form act={() => create(draft, removeStored)} blockedBy={blockedBy} noValidate className="">
      <Page
        title="New agent"
        above={<BackLink to="/w/$workspace/agents" label="Agents" />}
        actions={
          <>
            <Link to="." search={(before) => ({ ...before, template: "all" })} className={buttonClass()}>
              Templates
            </Link>
            {changed.length > 0 && (
              <Button onClick={() => showToast("Changes discarded.", undoWith(discard()))}>Discard</Button>
            )}
            <SubmitButton>Create agent</SubmitButton>
          </>
        }
      >
        <div className="px-page py-6">
          <FormProblem className="mb-4" />
          <AgentFields draft={draft} set={set} isNarrow={false} isNew />
        </div>
        {template !== undefined && (
          <Suspense>
            <AgentTemplates
              chosen={template}
              onChoose={(id) => show({ ...given({ from }), template: id })}
              onUse={fillIn}
              onClose={() => show(given({ from }))}
            />
          </Suspense>
        )}
      </Page>
    </Form>
  );
}

/** Creates the agent of a form, and opens it to be tried. @param from the template whose values are in the form */
function useCreate(from: string | undefined) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (draft: AgentDraft, onCreated: () => void): Promise<void> => {
    if (draft.system_prompt.trim() === "") throw promptMissing();
    const agent = await call(createAgent)(bodyOf(draft));
    onCreated();
    // After a reload the list may still be loading; the agent has no example without it.
    const templates = from === undefined ? [] : await client.ensureQueryData(templatesQuery).catch(() => []);
    const used = templates.find(({ id }) => id === from);
    // What the template was made for waits to be sent.
    if (used !== undefined) storeComposerText(agent.id, exampleOf(used, draft.model));
    void client.invalidateQueries({ queryKey: ["agents"] });
    await navigate({
      to: "/w/$workspace/agents/$id",
      params: { workspace: slug, id: agent.id },
      search: { tab: "try" },
      replace: true,
    });
  };
}

/** The API has a default prompt; a person who empties the field has probably forgotten it. */
function promptMissing(): Problem {
  const details = [{ path: "system_prompt", message: "Tell the agent what it is and what to do." }];
  return new Problem({ status: 400, code: "bad_request", message: "A prompt is required.", details });
}

function createCall({ name, model, system_prompt, tools }: AgentDraft): ApiCall {
  const body = { name: name === "" ? "Support" : name, model, system_prompt, tools };
  const options = {
    name: body.name,
    model,
    "system-prompt": system_prompt,
    ...(tools.length > 0 && { tools: tools.join() }),
  };
  const words = Object.entries(options).map(([option, value]) => `--${option} ${shellQuoted(value)}`);
  return {
    title: "Create the agent",
    method: "POST",
    path: "/functions/v1/api-agents",
    body,
    command: ["agents create", ...words].join(" "),
  };
}
