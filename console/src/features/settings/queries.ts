import { useQuery } from "@tanstack/react-query";
import { getProfile, listSessions } from "#client/gen/operations/accounts.ts";
import { listKeys } from "#client/gen/operations/keys.ts";
import { listInvitations, listMembers, listServiceAccounts } from "#client/gen/operations/members.ts";
import { call } from "../../api/client.ts";
import { every } from "../../api/query-client.ts";
import type { components } from "#client/gen/schema.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";

/** A person in the workspace. */
export type Member = components["schemas"]["Member"];
/** What programs act as. */
export type ServiceAccount = components["schemas"]["ServiceAccount"];
/** A key, without its text. */
export type ApiKey = components["schemas"]["Key"];

/** Who may do what in the workspace, page by page. @param q a part of the name or e-mail address */
export function useMembers(q?: string) {
  return usePages(["members"], [listMembers, given({ limit: 100, q })]);
}

/** The open invitations, without their links, page by page. */
export function useInvitations() {
  return usePages(["invitations"], [listInvitations, { limit: 100 }]);
}

/** The service accounts, page by page. @param q a part of the name */
export function useServiceAccounts(q?: string) {
  return usePages(["service-accounts"], [listServiceAccounts, given({ limit: 100, q })]);
}

/** All service accounts, to choose from. */
export function useAllServiceAccounts() {
  return useQuery({ queryKey: ["service-accounts", "all"], queryFn: () => readAll(listServiceAccounts, {}) });
}

/** One of them, which a list finds by its id; undefined for none. */
export async function readServiceAccount(id: string): Promise<ServiceAccount | undefined> {
  const { items } = await call(listServiceAccounts)({ q: id });
  return items.find((account) => account.id === id);
}

/** One of them, null for none. @param id without one, nothing is read */
export function useServiceAccount(id: string | undefined) {
  return useQuery({
    queryKey: ["service-accounts", "one", id],
    queryFn: async () => (await readServiceAccount(id ?? "")) ?? null,
    enabled: id !== undefined,
  });
}

/** The keys of the workspace, page by page. @param q a part of the label */
export function useKeys(q?: string) {
  return usePages(["keys"], [listKeys, given({ limit: 100, q })]);
}

/** One of the keys, which a list finds by its id; undefined for none. */
export async function readKey(id: string): Promise<ApiKey | undefined> {
  const { items } = await call(listKeys)({ q: id });
  return items.find((key) => key.id === id);
}

/** One of the keys, null for none. @param id without one, nothing is read */
export function useKey(id: string | undefined) {
  return useQuery({
    queryKey: ["keys", "one", id],
    queryFn: async () => (await readKey(id ?? "")) ?? null,
    enabled: id !== undefined,
  });
}

const EXPIRING_REFRESH_MS = 600_000;

/** The first keys that expire within 14 days and have no replacement, the newest first. */
export function useExpiringKeys() {
  return useQuery({
    queryKey: ["keys", "expiring"],
    queryFn: async () => (await call(listKeys)({ expiring: "true", limit: 5 })).items,
    refetchInterval: every(EXPIRING_REFRESH_MS),
  });
}

/** All keys of the workspace. */
export function useAllKeys() {
  return useQuery({ queryKey: ["keys", "all"], queryFn: () => readAll(listKeys, {}) });
}

/** Where the person is signed in. */
export function useSessions() {
  return useQuery({
    queryKey: ["sessions"],
    queryFn: () => call(listSessions)(),
  });
}

/** Who the person is. */
export function useProfile() {
  return useQuery({ queryKey: ["profile"], queryFn: () => call(getProfile)() });
}
