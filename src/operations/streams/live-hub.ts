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
  watch(workspaceId: string, notify: (notification: LiveNotification) => void): Promise<() => void>;
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
  const viewers = new Map<string, Set<(notification: LiveNotification) => void>>();

  return {
    async watch(workspaceId, notify) {
      const all = viewers.get(workspaceId) ?? new Set();
      viewers.set(workspaceId, all.add(notify));
      const unwatch = () => {
        all.delete(notify);
        if (all.size === 0 && viewers.get(workspaceId) === all) viewers.delete(workspaceId);
      };
      try {
        await announce([workspaceId]);
      } catch (error) {
        unwatch();
        throw error;
      }
      return unwatch;
    },
    receive(payload) {
      const [workspaceId = "", kind = "", id = "", status = "", updated_at = ""] = payload.split(" ");
      const change = { kind, id, ...(status !== "-" && { status }), updated_at };
      for (const notify of viewers.get(workspaceId) ?? []) notify(change);
    },
    resyncAll() {
      for (const all of viewers.values()) for (const notify of all) notify("resync");
    },
    announceAgain() {
      if (viewers.size > 0) announce([...viewers.keys()]).catch(onError);
    },
  };
}
