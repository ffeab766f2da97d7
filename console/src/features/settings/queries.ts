import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "#client/gen/schema.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";

/** A person in the workspace. */
export type Member = components["schemas"]["Member"];
/** A key, without its text. */
export type ApiKey = components["schemas"]["Key"];

/** Who may do what in the workspace, page by page. @param q a part of the name or e-mail address */
export function useMembers(q?: string) {
  return usePages<Member>(["members"], `/console/api/members${stringifySearch({ limit: 100, q })}`);
}

/** The open invitations, without their links, page by page. */
export function useInvitations() {
  return usePages<components["schemas"]["Invitation"]>(["invitations"], "/console/api/invitations?limit=100");
}

/** The keys of the workspace, page by page. @param q a part of the label */
export function useKeys(q?: string) {
  return usePages<ApiKey>(["keys"], `/console/api/keys${stringifySearch({ limit: 100, q })}`);
}

/** All keys of the workspace. */
export function useAllKeys() {
  return useQuery({ queryKey: ["keys", "all"], queryFn: () => readAll<ApiKey>("/console/api/keys") });
}

/** Where the person is signed in. */
export function useSessions() {
  return useQuery({
    queryKey: ["sessions"],
    queryFn: () => fetchJson<readonly components["schemas"]["Session"][]>("/auth/sessions"),
  });
}

/** Who the person is. */
export function useProfile() {
  return useQuery({ queryKey: ["profile"], queryFn: () => fetchJson<components["schemas"]["Person"]>("/auth/me") });
}
