import { useQueryClient } from "@tanstack/react-query";
import { updateAgent } from "#client/gen/operations/agents.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { loadPart } from "../../../lib/load-part.ts";
import { Form } from "../../../ui/form.tsx";
import { showToast, undoWith } from "../../../ui/messages.ts";
import { useShowGolden } from "../golden/use-show-golden.ts";
import type { Agent } from "../records.ts";
import { AgentFields } from "./agent-fields.tsx";
import { patchOf } from "./body.ts";
import type { AgentDraft } from "./draft.ts";
import { SaveBar, TRY } from "./save-bar.tsx";
import type { DraftState } from "./use-draft.ts";

/** The form of an agent. Its changes are kept until they are saved, which makes a version. */
export function AgentForm({
  agent,
  state: { stored, draft, set, changed, basedOn, discard },
  isNarrow = false,
}: {
  readonly agent: Agent;
  readonly state: DraftState;
  /** One column, for a form beside other content. */
  readonly isNarrow?: boolean;
}) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const showGolden = useShowGolden(agent.id);
  /** Saves the fields that differ between two drafts, and returns the version that results. */
  async function save(before: AgentDraft, after: AgentDraft): Promise<number> {
    const saved = await call(updateAgent)({ id: agent.id }, patchOf(before, after));
    client.setQueryData(["agent", agent.id], saved);
    void client.invalidateQueries({ queryKey: ["agents"] });
    void client.invalidateQueries({ queryKey: ["agent", agent.id] });
    return saved.version;
  }
  /** The fields get the values that they had before the save. */
  async function undo(version: number): Promise<void> {
    const now = await save(draft, stored);
    showToast(now === version ? "Save undone." : `Save undone, as version ${now}.`);
  }
  async function act(values: FormData): Promise<void> {
    if (values.has(TRY)) {
      const { tryChanges } = await loadPart(() => import("../golden/try-changes.ts"));
      return showGolden(await tryChanges(client, agent.id, patchOf(stored, draft)));
    }
    const version = await save(stored, draft);
    discard();
    const said =
      version === agent.version ? "Saved. Nothing that affects its runs has changed." : `Saved as version ${version}.`;
    showToast(
      said,
      undoWith(() => undo(version)),
    );
  }
  return (
    <Form act={act} blockedBy={blockedBy} noValidate className="flex flex-1 flex-col">
      <fieldset disabled={blockedBy !== undefined} className="flex-1 px-page py-6">
        {blockedBy !== undefined && <p className="mb-4 rounded-control bg-surface px-3 py-2 text-ink-2">{blockedBy}</p>}
        <AgentFields draft={draft} set={set} isNarrow={isNarrow} />
      </fieldset>
      {changed.length > 0 && (
        <SaveBar
          changed={changed}
          basedOn={basedOn}
          agentId={agent.id}
          onDiscard={() => showToast("Changes discarded.", undoWith(discard()))}
        />
      )}
    </Form>
  );
}
