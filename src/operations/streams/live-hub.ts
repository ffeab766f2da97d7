/** A change of a record that pages show. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  /** Its current status; absent for records without one. */
  readonly status?: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

/** A notification to a viewer: a change, or that changes may have been missed. */
export type LiveNotification = Change | "resync";

/** The pages of this process that watch workspaces. */
export interface LiveHub {
  /**
   * Notifies a viewer of each change in a workspace. Resolves once changes are announced, with the function that stops
   * it.
   */
  watch(workspaceId: string, tell: (news: LiveNotification) => void): Promise<() => void>;
  /** Handles a notification of the channel `muster_changes`. */
  receive(payload: string): void;
  /** Notifies every viewer that changes may have been missed. */
  resyncAll(): void;
  /** Announces the watched workspaces again; call it every few seconds. */
  announceAgain(): void;
}

/** Creates the hub of a process. @param announce stores that these workspaces are watched, for half a minute */
export function createLiveHub(
  announce: (workspaceIds: readonly string[]) => Promise<void>,
  onError: (error: unknown) => void,
): LiveHub {
  const viewers = new Map<string, Set<(news: LiveNotification) => void>>();

  return {
    async watch(workspaceId, tell) {
      const all = viewers.get(workspaceId) ?? new Set();
      viewers.set(workspaceId, all.add(tell));
      const leave = () => {
        all.delete(tell);
        if (all.size === 0 && viewers.get(workspaceId) === all) viewers.delete(workspaceId);
      };
      try {
        await announce([workspaceId]);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    receive(payload) {
      const [workspaceId = "", kind = "", id = "", status = "", updated_at = ""] = payload.split(" ");
      const change = { kind, id, ...(status !== "-" && { status }), updated_at };
      for (const tell of viewers.get(workspaceId) ?? []) tell(change);
    },
    resyncAll() {
      for (const all of viewers.values()) for (const tell of all) tell("resync");
    },
    announceAgain() {
      if (viewers.size > 0) announce([...viewers.keys()]).catch(onError);
    },
  };
}
