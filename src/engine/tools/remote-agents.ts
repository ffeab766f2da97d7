import { z } from "zod";
import { question } from "#domain/tasks/interaction.ts";
import { DELEGATE_TOOL, delegateInput } from "#domain/protocols/remote-agent.ts";
import { serviceIn } from "#domain/access/role.ts";
import { storableText } from "#domain/storable.ts";
import { listEnabledRemoteAgents } from "#db/queries/protocols/a2a/remote-agents.ts";
import type { RemoteAgentRow } from "#db/queries/protocols/a2a/remote-agents.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { remoteCard } from "#lib/a2a/remote-card.ts";
import type { RemoteProgress } from "#lib/a2a/remote-updates.ts";
import { cutText } from "#lib/http/cut-text.ts";
import { delegate } from "#operations/protocols/a2a/delegate.ts";
import type { Services } from "#operations/context.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Pause, Tool } from "#tools/define-tool.ts";
import type { ToolSource } from "./tool-registry.ts";

/** The most remote agents that the tool's description lists, and what it says of each. */
const MAX_LISTED = 50;
const MAX_DESCRIPTION = 300;
const MAX_SKILLS = 5;
/** How often progress is shown at most, in milliseconds, and how much of it in all, in characters. */
const PROGRESS_INTERVAL_MS = 300;
const MAX_PROGRESS = 20_000;
const MAX_QUESTION = 9_000;

const answerText = z.looseObject({ text: z.string() });

/** What delegations work with. */
export interface RemoteAgentServices extends Pick<Services, "db" | "secrets" | "fetch"> {
  /** How long a remote agent may work on one delegation, in milliseconds. */
  readonly remoteAgentTimeoutMs: number;
}

/** The tool by which agents delegate to the remote agents of their workspace; there is none where none is enabled. */
export function createRemoteAgents(services: RemoteAgentServices): ToolSource {
  return {
    prefix: DELEGATE_TOOL,
    async find(workspaceId) {
      const tenant = serviceIn(workspaceId);
      const agents = await retryOutage(() => listEnabledRemoteAgents(services.db, tenant, MAX_LISTED));
      return agents.length === 0 ? [] : [createTool(services, agents)];
    },
  };
}

function createTool(services: RemoteAgentServices, agents: readonly RemoteAgentRow[]): Tool {
  return defineTool({
    name: DELEGATE_TOOL,
    description: `Gives work to a remote agent and returns its answer. Remote agents:\n${agents.map(describe).join("\n")}`,
    input: delegateInput,
    // The delegation has a time limit of its own, which cancels the remote task.
    timeoutMs: Infinity,
    async execute(
      { agent_id: remoteAgentId, message },
      { workspaceId, taskId, idempotencyKey, answers, signal, progress },
    ) {
      const last = answers.at(-1);
      const outcome = await delegate(services, serviceIn(workspaceId), {
        key: idempotencyKey,
        subjectId: taskId,
        remoteAgentId: agents.find(({ id }) => id === remoteAgentId.toLowerCase())?.id ?? unknownAgent(agents),
        message,
        answer: last === undefined ? undefined : { text: answerText.parse(last).text, round: answers.length },
        timeoutMs: services.remoteAgentTimeoutMs,
        signal,
        onProgress: showGrowth(progress),
      });
      return "result" in outcome ? cutText(storableText(outcome.result)) : askPerson(outcome);
    },
  });
}

function describe({ id, card }: RemoteAgentRow): string {
  const { name, description, skills } = remoteCard.parse(card);
  const named = skills.slice(0, MAX_SKILLS).map((skill) => skill.name);
  const knows = named.length === 0 ? "" : ` Skills: ${named.join(", ")}.`;
  return `- ${id}: ${oneLine(name)}. ${oneLine(description).slice(0, MAX_DESCRIPTION)}${oneLine(knows)}`;
}

/** What others write must not look like lines of our own. */
function oneLine(text: string): string {
  return storableText(text).replaceAll(/\s+/g, " ").trimEnd();
}

function unknownAgent(agents: readonly RemoteAgentRow[]): never {
  const ids = agents.map(({ id }) => id).join(", ");
  throw new Error(`There is no enabled remote agent with this agent_id. Known: ${ids}.`);
}

function askPerson({ question: asked, askedBy }: { readonly question: string; readonly askedBy: string }): Pause {
  const prompt = {
    type: "text_input",
    title: `${oneLine(askedBy)} asks`.slice(0, 200).toWellFormed(),
    description: storableText(asked.slice(0, MAX_QUESTION)),
  };
  return { pauseFor: question.parse({ kind: "prompt", prompt }) };
}

/** Shows what was added to the remote agent's text, now and then; a text that was replaced begins on a new line. */
function showGrowth(progress: (text: string) => Promise<void>) {
  let shown = "";
  let shownAt = -Infinity;
  let total = 0;
  return async ({ text, state }: RemoteProgress): Promise<void> => {
    const isWaiting = state === "submitted" || state === "working" || state === undefined;
    if (text === shown || total >= MAX_PROGRESS) return;
    if (isWaiting && performance.now() - shownAt < PROGRESS_INTERVAL_MS) return;
    const delta = text.startsWith(shown) ? text.slice(shown.length) : `\n${text}`;
    const piece = storableText(delta.slice(0, MAX_PROGRESS - total));
    shown = text;
    shownAt = performance.now();
    total += piece.length;
    await progress(piece);
  };
}
