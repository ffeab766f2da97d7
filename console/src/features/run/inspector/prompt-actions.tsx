import { useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.tsx";
import { CodeIcon, QuestionsIcon } from "../../../ui/icons.ts";
import { showFailure, showToast } from "../../../ui/messages.ts";
import { storeComposerText } from "../../records/composer-text.ts";
import { modelsQuery } from "../../models/queries.ts";
import type { StepDetail } from "../../records/run-head.ts";
import { loadPart } from "../../../lib/load-part.ts";

type Request = NonNullable<StepDetail["request"]>;

/** What can be done with the prompt of a model call: send it again from a shell, or to the agent. */
export function PromptActions({
  detail,
  request,
  agentId,
}: {
  readonly detail: StepDetail;
  readonly request: Request;
  /** The agent that made the call; undefined if it was deleted. */
  readonly agentId: string | undefined;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const input = request.messages.findLast(({ role }) => role === "user");

  function openInTry(id: string, text: string): void {
    storeComposerText(id, text);
    void navigate({ to: "/w/$workspace/agents/$id", params: { workspace: slug, id }, search: { tab: "try" } });
  }

  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="small"
        icon={CodeIcon}
        title="The request to the provider, with a variable in place of the key"
        onClick={() => void copyAsCurl(client, detail, request).catch(showFailure)}
      >
        Copy as curl
      </Button>
      {agentId !== undefined && input?.role === "user" && (
        <Button
          size="small"
          icon={QuestionsIcon}
          title="Opens a conversation with the agent, with this call's input as the message"
          onClick={() => openInTry(agentId, input.content)}
        >
          Open in Try
        </Button>
      )}
    </div>
  );
}

async function copyAsCurl(client: QueryClient, detail: StepDetail, request: Request): Promise<void> {
  const { curlOf, providerRequestOf } = await loadPart(() => import("../curl/provider-request.ts"));
  const { reply, exchanges, attempts } = detail;
  // Of a try that failed the body itself may be on record.
  const failed = reply === null ? exchanges.at(-1) : undefined;
  const model = reply?.model ?? attempts[failed?.try ?? -1]?.model ?? request.parameters.model;
  const provider = reply?.provider ?? (await providerOf(client, model));
  const derived = providerRequestOf(provider, { ...request, parameters: { ...request.parameters, model } });
  if (derived === undefined) {
    showToast("The demo model has no API to call.");
    return;
  }
  if (await copyText(curlOf({ ...derived, body: parsed(failed?.request) ?? derived.body }))) {
    showToast("Copied. The command reads the key from the environment.");
  }
}

/** A call that failed has no reply that says who was asked; its model does. */
async function providerOf(client: QueryClient, model: string): Promise<string> {
  const { models } = await client.ensureQueryData(modelsQuery);
  return models.find(({ id }) => id === model)?.provider ?? "openai-compatible";
}

/** The text of an object in JSON; undefined for what was cut or is no JSON. */
function parsed(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
