import { findWorkspace, rememberWorkspaces, rememberedId } from "../lib/workspaces.ts";
import type { Access } from "./session.ts";
import { accessOf, refresh, sessionState } from "./session.ts";

/** How entering a page of a workspace ends. */
export type Entry = "entered" | "signed-out" | "no-such-workspace" | "needs-passkey";

/** The session of this tab, renewed by the cookie when there is none yet; undefined when signed out. */
export async function resumeSession(workspaceId?: string): Promise<Access | undefined> {
  const before = sessionState();
  if (before.kind === "signed-in") return before.access;
  // The workspace that this browser remembers may have been deleted; the session is still valid.
  await refresh(workspaceId).catch((error: unknown) => {
    if (workspaceId === undefined) throw error;
    return refresh();
  });
  const state = sessionState();
  if (state.kind !== "signed-in") return undefined;
  rememberWorkspaces(state.access.workspaces);
  return state.access;
}

/** Makes this tab work in the workspace that the URL names, by slug or id. */
export async function enterWorkspace(name: string): Promise<Entry> {
  const access = await resumeSession(rememberedId(name));
  if (access === undefined) return "signed-out";
  const wanted = findWorkspace(access.workspaces, name);
  if (wanted === undefined) return "no-such-workspace";
  if (wanted.id !== access.workspace_id && !(await refresh(wanted.id))) return "signed-out";
  return accessOf(sessionState())?.needs_passkey === true ? "needs-passkey" : "entered";
}
