import { useState } from "react";
import { textIn } from "../../forms/use-submit.ts";
import { given } from "../../lib/given.ts";
import { changedFields } from "../../lib/changed-fields.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import { Button } from "../../ui/button.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { TextareaField } from "../../ui/fields.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { LoadingRows } from "../../ui/states.tsx";
import { EFFORTS } from "../agents/form/model-settings.ts";
import type { Agent } from "../agents/records.ts";
import { changedSettings, useRerun, useSettings } from "./queries.ts";
import type { Conversation, Turn } from "./queries.ts";
import { SettingFields } from "./setting-fields.tsx";
import { settingsOf } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { ToolResults, changedResults } from "./tool-results.tsx";
import type { RecordedResults } from "./tool-results.tsx";

/** What {@link RerunSheet} takes. */
interface RerunSheetProps {
  readonly agent: Agent;
  readonly conversation: Conversation;
  readonly turn: Turn;
  readonly onClose: () => void;
}

/** Changes what led to a reply, and lets the agent reply again. What was typed stays until it is sent. */
export function RerunSheet({ agent, conversation, turn, onClose }: RerunSheetProps) {
  const navigate = usePageNavigate({ from: "/w/$workspace/agents/$id" });
  const rerun = useRerun(conversation.id);
  const settings = useSettings(agent, conversation, turn);
  const [recorded] = useState<RecordedResults>(() => new Map());
  const attempt = turn.run?.attempt ?? 1;

  function save(values: FormData): Promise<string> {
    const { step, results } = changedResults(values, recorded);
    const typed = textIn(values, "message");
    // The agent has its current fields, then the changes of this conversation.
    const base = { ...settingsOf(agent), ...changedSettings(conversation.changes) };
    const changes = given({
      message: typed === turn.message ? undefined : typed,
      tool_results: results,
      ...changedFields(typedSettings(values), base),
    });
    return rerun({ from_step: step ?? 0, attempt, ...(Object.keys(changes).length > 0 && { changes }) });
  }

  return (
    <Sheet
      title="Edit and run again"
      description="The agent replies once more with your changes, beside this reply. Nothing is saved in the agent."
      onClose={onClose}
    >
      {settings === undefined ? (
        <LoadingRows rows={4} />
      ) : (
        <RecordForm
          draft={`rerun.${conversation.id}.${attempt}`}
          save={save}
          onSaved={(id) => navigate({ search: { tab: "try", thread: conversation.id, rerun: id } })}
          className="flex flex-col gap-5"
          actions={
            <DialogActions>
              <Button onClick={onClose}>Close</Button>
              <SubmitButton>Run again</SubmitButton>
            </DialogActions>
          }
        >
          <TextareaField
            name="message"
            label="Message"
            path="changes.message"
            rows={3}
            defaultValue={turn.message ?? ""}
            autoFocus
          />
          <SettingFields settings={settings} />
          <ToolResults id={conversation.id} attempt={attempt} recorded={recorded} />
        </RecordForm>
      )}
    </Sheet>
  );
}

function typedSettings(values: FormData): Settings {
  const temperature = textIn(values, "temperature").trim();
  return {
    system_prompt: textIn(values, "system_prompt"),
    model: textIn(values, "model"),
    effort: EFFORTS.find((effort) => effort === textIn(values, "effort")) ?? null,
    temperature: temperature === "" ? null : Number(temperature),
  };
}
