import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getAgentVersion } from "#client/gen/operations/agent-versions.ts";
import { forkRun, getConversation, listConversations } from "#client/gen/operations/runs.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import type { Agent } from "../agents/records.ts";
import { settingsOf } from "./settings.ts";
import type { Settings } from "./settings.ts";

/** A conversation as it is stored: its turns, and what a fork changed. */
export type Conversation = components["schemas"]["Conversation"];

/** A message with its reply. */
export type Turn = Conversation["turns"][number];

/** A turn in its conversation. */
export interface TurnIn {
  readonly conversation: Conversation;
  readonly turn: Turn;
}

const LIMIT = 20;

/** The conversations that people hold with an agent, newest first. */
export function useConversations(agentId: string) {
  return usePages(["runs", "conversations", agentId], [listConversations, { id: agentId, limit: LIMIT }]);
}

/** A conversation by the id of its task; nothing without one. It is read again when its run has changed. */
export function useStoredConversation(id: string | undefined) {
  return useQuery({
    queryKey: ["run", id, "conversation"],
    enabled: id !== undefined,
    queryFn: () => call(getConversation)({ id: id ?? "" }),
  });
}

/** With which settings the agent replied in a turn; undefined until its version is read. */
export function useSettings(agent: Agent, conversation: Conversation | undefined, turn: Turn | undefined) {
  const { changes = null } = conversation ?? {};
  const version = changes?.version ?? turn?.attempt?.version ?? agent.version;
  const isCurrent = version === agent.version;
  const { data } = useQuery({
    queryKey: ["agent", agent.id, "version", version],
    enabled: conversation !== undefined && !isCurrent,
    staleTime: Infinity,
    queryFn: () => call(getAgentVersion)({ id: agent.id, version }),
  });
  const fields = isCurrent ? agent : data?.fields;
  return fields === undefined ? undefined : { ...settingsOf(fields), ...changedSettings(changes) };
}

/** What a fork changed of the settings. */
export function changedSettings(changes: Conversation["changes"]): Partial<Settings> {
  const { version: _version, ...changed } = changes ?? { version: null };
  return changed;
}

/** Starts a fork of a turn. */
export function useRerun(id: string) {
  const client = useQueryClient();
  return async (body: Parameters<ReturnType<typeof forkRun>>[1]) => {
    const started = await call(forkRun)({ id }, body);
    void client.invalidateQueries({ queryKey: ["run", id] });
    return started.id;
  };
}
