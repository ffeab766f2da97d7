import { useQuery } from "@tanstack/react-query";
import { listRoutes } from "#client/gen/operations/output-routes.ts";
import { readAll } from "../../../api/use-pages.ts";
import { useAllMembers } from "../../pickers/all-members.ts";
import { useToolChoices } from "./tool-choices.ts";

/** What rules have ids of, by name. */
export interface RuleNames {
  readonly person: (id: string) => string;
  readonly channel: (id: string) => string;
  readonly tool: (name: string) => string;
}

/** The routes of kind people, by which a rule asks in a channel. */
export function useChannels() {
  const all = useQuery({ queryKey: ["routes", "all"], queryFn: () => readAll(listRoutes, {}) }).data ?? [];
  return all.filter(({ kind }) => kind === "people");
}

/** The names of the people, channels and tools in rules; what is unknown keeps its id. */
export function useRuleNames(): RuleNames {
  const members = useAllMembers();
  const channels = useChannels();
  const tools = useToolChoices().flatMap((group) => group.tools);
  return {
    person: (id) => members.find(({ user_id }) => user_id === id)?.name ?? id,
    channel: (id) => channels.find((route) => route.id === id)?.name ?? "a channel that was deleted",
    tool: (name) => tools.find((tool) => tool.name === name)?.label ?? name,
  };
}
