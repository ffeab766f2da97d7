import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "../../api/paths.gen.ts";

/** A person in the workspace. */
export type Member = components["schemas"]["Member"];
/** A key, without its text. */
export type ApiKey = components["schemas"]["Key"];

/** Who may do what in the workspace. */
export function useMembers() {
  return useQuery({
    queryKey: ["members"],
    queryFn: () => fetchJson<readonly Member[]>("/console/api/members"),
  });
}

/** The open invitations, without their links. */
export function useInvitations() {
  return useQuery({
    queryKey: ["invitations"],
    queryFn: () => fetchJson<readonly components["schemas"]["Invitation"][]>("/console/api/invitations"),
  });
}

/** The keys of the workspace. */
export function useKeys() {
  return useQuery({ queryKey: ["keys"], queryFn: () => fetchJson<readonly ApiKey[]>("/console/api/keys") });
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
