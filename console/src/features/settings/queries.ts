import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "#client/gen/schema.ts";
import { readAll, usePages } from "../../api/use-pages.ts";

/** A person in the workspace. */
export type Member = components["schemas"]["Member"];
/** A key, without its text. */
export type ApiKey = components["schemas"]["Key"];

/** Who may do what in the workspace, page by page. */
export function useMembers() {
  return usePages<Member>(["members"], "/console/api/members?limit=100");
}

/** The open invitations, without their links, page by page. */
export function useInvitations() {
  return usePages<components["schemas"]["Invitation"]>(["invitations"], "/console/api/invitations?limit=100");
}

/** The keys of the workspace, page by page. */
export function useKeys() {
  return usePages<ApiKey>(["keys"], "/console/api/keys?limit=100");
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
