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

/** Who is notified, and since when that one knows the workspace. */
export interface Viewer {
  readonly workspaceId: string;
  readonly notify: (notification: LiveNotification) => void;
  /** In milliseconds: changes since so long ago come first. The workspace was announced then; see {@link LiveHub}. */
  readonly sinceMs: number | undefined;
}

/** A viewer that is notified. */
export interface Watch {
  /** Whether it is notified of every change since the time that it named. */
  readonly isComplete: boolean;
  readonly stop: () => void;
}

/** The pages of this process that watch workspaces. */
export interface LiveHub {
  /** Has changes in a workspace announced and kept for a page that is about to read it, and then to watch it. */
  expect(workspaceId: string): Promise<void>;
  /** Notifies a viewer of each change in a workspace. Resolves once changes are announced. */
  watch(viewer: Viewer): Promise<Watch>;
  /** Handles a notification of the channel `muster_changes`. */
  receive(payload: string): void;
  /** Notifies every viewer that changes may have been missed. */
  resyncAll(): void;
  /** Announces the watched workspaces again; call it every few seconds. */
  announceAgain(): void;
}

/** An announcement holds for at least so long: its half a minute, less the time between two of a watched workspace. */
const ANNOUNCED_MS = 25_000;
/** What a request to watch may take to arrive. Changes that are sent twice cost one more read. */
const ARRIVAL_MS = 5_000;
const MAX_KEPT = 10_000;

/** Creates the hub of a process. @param announce stores that these workspaces are watched, for half a minute */
export function createLiveHub(
  announce: (workspaceIds: readonly string[]) => Promise<void>,
  onError: (error: unknown) => void,
): LiveHub {
  const viewers = new Map<string, Set<(notification: LiveNotification) => void>>();
  // The last change of each record, of all announced workspaces, oldest first.
  const recent = new Map<string, { readonly workspaceId: string; readonly change: Change; readonly at: number }>();
  /** No change that came later is missing in them. */
  let completeFrom = performance.now();

  function keep(workspaceId: string, change: Change): void {
    const at = performance.now();
    const key = `${workspaceId} ${change.kind} ${change.id}`;
    recent.delete(key);
    recent.set(key, { workspaceId, change, at });
    for (const [oldest, { at: cameAt }] of recent) {
      const isOver = recent.size > MAX_KEPT;
      if (!isOver && cameAt >= at - ANNOUNCED_MS - ARRIVAL_MS) break;
      recent.delete(oldest);
      if (isOver) completeFrom = Math.max(completeFrom, cameAt);
    }
  }

  function replay({ workspaceId, notify }: Viewer, from: number): void {
    for (const kept of recent.values()) if (kept.workspaceId === workspaceId && kept.at >= from) notify(kept.change);
  }

  return {
    expect: (workspaceId) => announce([workspaceId]),
    async watch(viewer) {
      const { workspaceId, notify, sinceMs } = viewer;
      const from = performance.now() - (sinceMs ?? 0);
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
      if (sinceMs !== undefined) replay(viewer, from - ARRIVAL_MS);
      const isComplete = sinceMs !== undefined && sinceMs <= ANNOUNCED_MS && from >= completeFrom;
      return { isComplete, stop: unwatch };
    },
    receive(payload) {
      const [workspaceId = "", kind = "", id = "", status = "", updated_at = ""] = payload.split(" ");
      const change = { kind, id, ...(status !== "-" && { status }), updated_at };
      keep(workspaceId, change);
      for (const notify of viewers.get(workspaceId) ?? []) notify(change);
    },
    resyncAll() {
      completeFrom = performance.now();
      for (const all of viewers.values()) for (const notify of all) notify("resync");
    },
    announceAgain() {
      if (viewers.size > 0) announce([...viewers.keys()]).catch(onError);
    },
  };
}
