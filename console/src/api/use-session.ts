import { useSyncExternalStore } from "react";
import { slugOf } from "../lib/workspaces.ts";
import { accessOf, identityOf, onSession, sessionState } from "./session.ts";
import type { Access, SessionState } from "./session.ts";

/** The roles, each with all that the ones before it may do. */
const ROLES = ["viewer", "member", "admin", "owner"] as const;

/** What a person may do in a workspace. */
export type Role = (typeof ROLES)[number];

/** The session, drawn again when it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(onSession, sessionState);
}

/** The person's access, on pages of a workspace. It stays while they sign in again over the page. */
export function useAccess(): Access {
  const access = accessOf(useSession());
  if (access === undefined) throw new Error("This page needs a session.");
  return access;
}

/** Names the person and the workspace of this tab: what belongs to another is not to be shown. */
export function useIdentity(): string | undefined {
  return identityOf(useSession());
}

/** The workspace of this tab: its name for URLs, and its title. */
export function useWorkspace(): { readonly id: string; readonly slug: string; readonly name: string } {
  const { workspaces, workspace_id: id } = useAccess();
  const workspace = workspaces.find((each) => each.id === id);
  return { id, slug: workspace === undefined ? id : slugOf(workspace), name: workspace?.name ?? "" };
}

/** Why the person may not answer questions; undefined for members, and for viewers who are allowed to. */
export function useBlockedFromAnswering(): string | undefined {
  const { role, workspaces, workspace_id: id } = useAccess();
  if (workspaces.find((each) => each.id === id)?.can_answer === true) return undefined;
  return `Needs the role member, or the right to answer; yours is ${role}.`;
}

/** Why the person's role does not suffice; undefined when it does. The server decides in the end. */
export function useBlockedBy(needed: Role): string | undefined {
  const { role } = useAccess();
  return ROLES.indexOf(role) >= ROLES.indexOf(needed) ? undefined : `Needs the role ${needed}; yours is ${role}.`;
}
