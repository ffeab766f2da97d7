import type { LiveHub } from "../streams/live-hub.ts";
import type { Workspace } from "../workspace.ts";
import { listPublishedTools } from "./published-agents.ts";

/**
 * Watches the tools that the caller sees. Each value says that they have changed, at any process. Resolves once no
 * change is missed; ends when the signal is aborted.
 */
export async function watchTools(
  workspace: Workspace & { readonly live: LiveHub },
  signal: AbortSignal,
): Promise<AsyncGenerator<"changed">> {
  let isDue = false;
  let wake: () => void = () => undefined;
  const { stop } = await workspace.live.watch({
    workspaceId: workspace.who.workspaceId,
    sinceMs: undefined,
    notify(change) {
      if (change !== "resync" && change.kind !== "agent") return;
      isDue = true;
      wake();
    },
  });
  const end = () => {
    stop();
    wake();
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  // Of the changes of agents, few concern their tools. A list that cannot be read now may have changed.
  const read = async () => JSON.stringify(await listPublishedTools(workspace));
  let known: string | undefined = await read();

  async function* changes(): AsyncGenerator<"changed"> {
    while (!signal.aborted) {
      if (!isDue) await new Promise<void>((resolve) => (wake = resolve));
      if (signal.aborted) return;
      isDue = false;
      const now = await read().catch(() => undefined);
      if (now !== undefined && now === known) continue;
      known = now;
      yield "changed";
    }
  }
  return changes();
}
