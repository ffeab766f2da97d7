import { z } from "zod";
import { question } from "#domain/tasks/interaction.ts";
import { DELEGATE_TOOL, delegateInput } from "#domain/tools/remote-agent.ts";
import { serviceIn } from "#domain/access/role.ts";
import { storableText } from "#domain/storable.ts";
import { listEnabledRemoteAgents } from "#db/queries/remote-agents/remote-agents.ts";
import type { RemoteAgentRow } from "#db/queries/remote-agents/remote-agents.ts";
import { remoteCard } from "#protocols/a2a/remote/remote-card.ts";
import type { RemoteProgress } from "#protocols/a2a/remote/remote-progress.ts";
import { delegate } from "#operations/remote-agents/delegate.ts";
import type { Delegated } from "#operations/remote-agents/delegate.ts";
import type { ToolContent } from "#operations/tools/describe-content.ts";
import type { Services } from "#operations/context.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Pause, Tool } from "#tools/define-tool.ts";
import { toToolOutput } from "./tool-output.ts";
import type { ToolSource } from "./tool-registry.ts";

/** The maximum number of remote agents in the tool's description, and of characters about each. */
const MAX_LISTED = 50;
const MAX_DESCRIPTION = 300;
const MAX_SKILLS = 5;
/** The minimum interval between progress lines, in milliseconds, and their maximum length in total, in characters. */
const PROGRESS_INTERVAL_MS = 300;
const MAX_PROGRESS = 20_000;
const MAX_QUESTION = 9_000;

const answerText = z.looseObject({ text: z.string() });

/** The services that delegations need. */
export interface RemoteAgentServices extends Pick<Services, "db" | "secrets" | "fetch"> {
  /** The time limit of one delegation, in milliseconds. */
  readonly remoteAgentTimeoutMs: number;
}

/** The tool with which agents delegate to remote agents of their workspace; undefined when none is enabled. */
export function createRemoteAgents(services: RemoteAgentServices): ToolSource {
  return {
    prefix: DELEGATE_TOOL,
    async find({ workspaceId }) {
      const tenant = serviceIn(workspaceId);
      const agents = await listEnabledRemoteAgents(services.db.inWorkspace(tenant), MAX_LISTED);
      return agents.length === 0 ? [] : [createTool(services, agents)];
    },
  };
}

function createTool(services: RemoteAgentServices, agents: readonly RemoteAgentRow[]): Tool {
  return defineTool({
    name: DELEGATE_TOOL,
    description: `Gives work to a remote agent and returns its answer. Remote agents:\n${agents.map(describe).join("\n")}`,
    input: delegateInput,
    // A delegation has its own time limit, which cancels the remote task.
    timeoutMs: Infinity,
    async execute({ agent_id: remoteAgentId, message }, context) {
      const { workspaceId, subjectId, idempotencyKey, delegationMetadata, answers, signal, progress, traceparent } =
        context;
      const last = answers.at(-1);
      const outcome = await delegate(services, serviceIn(workspaceId), {
        key: idempotencyKey,
        subjectId,
        remoteAgentId: agents.find(({ id }) => id === remoteAgentId.toLowerCase())?.id ?? unknownAgent(agents),
        message,
        metadata: delegationMetadata,
        traceparent,
        answer: last === undefined ? undefined : { text: answerText.parse(last).text, round: answers.length },
        timeoutMs: services.remoteAgentTimeoutMs,
        signal,
        onProgress: showGrowth(progress),
      });
      return "result" in outcome ? toToolOutput(contentOf(outcome), context) : askPerson(outcome);
    },
  });
}

function describe({ id, card }: RemoteAgentRow): string {
  const { name, description, skills } = remoteCard.parse(card);
  const named = skills.slice(0, MAX_SKILLS).map((skill) => skill.name);
  const knows = named.length === 0 ? "" : ` Skills: ${named.join(", ")}.`;
  return `- ${id}: ${oneLine(name)}. ${oneLine(description).slice(0, MAX_DESCRIPTION)}${oneLine(knows)}`;
}

/** The files come first: a long text is cut. */
function contentOf({ result, files }: Extract<Delegated, { readonly result: string }>): ToolContent[] {
  const stored = files.map(({ name, mediaType, base64 }) => ({
    file: { name, mediaType, data: Buffer.from(base64, "base64") },
  }));
  return [...stored, { text: storableText(result) }];
}

/** Text from others must not look like our own lines. */
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

/** Writes added text of the remote agent at intervals; replaced text begins on a new line. */
function showGrowth(progress: (text: string) => Promise<void>) {
  let shown = "";
  let shownAt = -Infinity;
  let total = 0;
  return async (remote: RemoteProgress): Promise<void> => {
    const { state } = remote;
    const isWaiting = state === "submitted" || state === "working" || state === undefined;
    if (total >= MAX_PROGRESS || (isWaiting && performance.now() - shownAt < PROGRESS_INTERVAL_MS)) return;
    const { text } = remote;
    // Also without growth: reading the text is not free.
    if (text !== "") shownAt = performance.now();
    if (text === shown) return;
    const delta = text.startsWith(shown) ? text.slice(shown.length) : `\n${text}`;
    const piece = storableText(delta.slice(0, MAX_PROGRESS - total));
    shown = text;
    total += piece.length;
    await progress(piece);
  };
}
