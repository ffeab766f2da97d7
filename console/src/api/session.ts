import type { components } from "#client/gen/schema.ts";
import { momentNow } from "../lib/moment.ts";
import type { Moment } from "../lib/moment.ts";
import { problemOf } from "./problem.ts";

/** What a signed-in person works with, in one workspace. */
export type Access = components["schemas"]["Access"];

/** Whether a person is signed in. */
export type SessionState =
  | { readonly kind: "signed-in"; readonly access: Access }
  /** Signed out; `last` is who was signed in when the session ended while the page was in use. */
  | { readonly kind: "signed-out"; readonly last: Access | undefined }
  /** Signed in, but the workspace of this tab is gone, or the person is no longer a member of it. */
  | { readonly kind: "removed"; readonly last: Access };

const LOCK = "muster-refresh";
const CHANNEL = "muster";
const SIGNED_OUT = "signed-out";
const RENEW_AHEAD_MS = 300_000;
const JSON_HEADERS = { "Content-Type": "application/json" } as const;

/** The access token lives here and nowhere else: not in storage, not in the cache of answers. */
let state: SessionState = { kind: "signed-out", last: undefined };
let renewal: ReturnType<typeof setTimeout> | undefined;
/** See {@link announcedAt}. */
let announced: Moment | undefined;
const listeners = new Set<() => void>();
/** Between the tabs of this browser. */
const channel = new BroadcastChannel(CHANNEL);
channel.addEventListener("message", ({ data }) => {
  if (data === SIGNED_OUT) change({ kind: "signed-out", last: accessOf(state) });
});

/** The current session; the same object until it changes. */
export function sessionState(): SessionState {
  return state;
}

/** Calls the listener on each change; gives what ends that. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The token for the next request; undefined while signed out. */
export function accessToken(): string | undefined {
  return state.kind === "signed-in" ? state.access.access_token : undefined;
}

/**
 * When the request was sent by which this tab entered its workspace: since then the service keeps the workspace's changes
 * for the tab's stream. Undefined after a sign-in, which keeps none.
 */
export function announcedAt(): Moment | undefined {
  return announced;
}

/** Takes over what a sign-in answered. */
export function signedIn(access: Access): void {
  enter(access, undefined);
}

function enter(access: Access, at: Moment | undefined): void {
  const before = identityOf(state);
  change({ kind: "signed-in", access });
  if (identityOf(state) !== before) announced = at;
}

/**
 * Renews the session by its cookie. Tabs take turns, since each renewal replaces the cookie.
 * @param workspaceId the workspace to work in; by default the one of this tab
 * @returns false when there is no session
 * @throws what fetch throws, when no answer came: the session may well exist
 */
export async function refresh(workspaceId?: string): Promise<boolean> {
  const before = state;
  return inTurn(async () => {
    // Another request of this tab has renewed it while this one waited.
    if (state !== before && state.kind === "signed-in" && workspaceId === undefined) return true;
    const wanted = workspaceId ?? (state.kind === "signed-in" ? state.access.workspace_id : undefined);
    const sentAt = momentNow();
    const response = await fetch("/auth/refresh", {
      method: "POST",
      headers: JSON_HEADERS,
      body: JSON.stringify(wanted === undefined ? {} : { workspace_id: wanted }),
    });
    if (response.ok) {
      enter(await response.json(), sentAt);
      return true;
    }
    // The session itself may be valid.
    const isRefused = response.status === 403 || response.status === 404;
    if (isRefused && before.kind === "signed-in" && wanted === before.access.workspace_id) {
      change({ kind: "removed", last: before.access });
    }
    if (response.status !== 401 && response.status !== 400) throw await problemOf(response);
    change({ kind: "signed-out", last: accessOf(before) });
    return false;
  });
}

/** Ends the session here and in all other tabs. This one has to go to the page that this returns; its state stays. */
export async function endSession(): Promise<string> {
  const { headers } = await fetch("/auth/sign-out", { method: "POST", headers: JSON_HEADERS, body: "{}" });
  channel.postMessage(SIGNED_OUT);
  return headers.get("location") ?? "/sign-in";
}

/** Who is signed in, or was until the session ended. */
export function accessOf(of: SessionState): Access | undefined {
  return of.kind === "signed-in" ? of.access : of.last;
}

/** Names the person and the workspace of this tab, also after the session has ended; undefined before there is one. */
export function identityOf(of: SessionState): string | undefined {
  const access = accessOf(of);
  return access && `${access.user.id}.${access.workspace_id}`;
}

function change(next: SessionState): void {
  state = next;
  clearTimeout(renewal);
  if (next.kind === "signed-in") {
    const ms = Math.max(next.access.expires_in * 1_000 - RENEW_AHEAD_MS, 1_000);
    renewal = setTimeout(() => void refresh().catch(() => undefined), ms);
  }
  for (const listener of listeners) listener();
}

/** Locks exist only on https and on this machine; elsewhere the tab is on its own. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request(LOCK, work);
}
