import { useState } from "react";
import { QueryPart, both } from "../../ui/query-part.tsx";
import { Section } from "../../ui/section.tsx";
import type { Agent } from "../agents/records.ts";
import { TextDifference } from "../compare/text-difference.tsx";
import { useRun } from "../records/run-queries.ts";
import { ChangeList } from "./change-list.tsx";
import { changedSettings, useSettings, useStoredConversation } from "./queries.ts";
import type { TurnIn } from "./queries.ts";
import { QuestionBubble } from "./question-bubble.tsx";
import { RerunHead } from "./rerun-head.tsx";
import { RerunSheet } from "./rerun-sheet.tsx";
import { SaveVersion } from "./save-version.tsx";
import { changesBetween, settingsOf } from "./settings.ts";
import { Side } from "./side.tsx";
import { useConversation } from "./use-conversation.ts";

/** A reply beside the same one with changes: what was changed, and what came of it. */
export function SideBySide({ agent, rerun }: { readonly agent: Agent; readonly rerun: string }) {
  const after = useStoredConversation(rerun);
  const origin = after.data?.forked_from;
  const before = useStoredConversation(origin?.id);
  return (
    <QueryPart query={both(before, after)}>
      {([original, fork]) => {
        const old = original.turns.find(({ run }) => run?.id === origin?.id && run?.attempt === origin?.attempt);
        const turn = fork.turns.find(({ run }) => run?.id === rerun && run.attempt === 1);
        if (old === undefined || turn === undefined) return <Gone />;
        return (
          <Pair agent={agent} before={{ conversation: original, turn: old }} after={{ conversation: fork, turn }} />
        );
      }}
    </QueryPart>
  );
}

function Gone() {
  return <p className="px-page py-5 text-ink-2">The reply that was run again is no longer in its conversation.</p>;
}

function Pair({ agent, before, after }: { readonly agent: Agent; readonly before: TurnIn; readonly after: TurnIn }) {
  const { id } = after.conversation;
  const [open, setOpen] = useState<"edit" | "save">();
  const was = useSettings(agent, before.conversation, before.turn);
  const is = useSettings(agent, after.conversation, after.turn);
  const replies = useConversation(id, true);
  const earlier = useConversation(before.conversation.id, true).get(before.turn.run?.attempt ?? 1);
  const question = useRun(id).data?.question ?? null;
  const saved = settingsOf(agent);
  const unsaved = changesBetween(saved, { ...saved, ...changedSettings(after.conversation.changes) });
  const hasEnded = after.turn.attempt?.duration_ms != null;
  return (
    <section aria-label="Both replies" className="flex min-w-0 flex-col">
      <RerunHead
        agent={agent}
        before={before}
        after={after}
        canSave={unsaved.length > 0}
        onEdit={() => setOpen("edit")}
        onSave={() => setOpen("save")}
      />
      <div className="flex flex-col gap-6 px-page py-5">
        {was !== undefined && is !== undefined && (
          <Changes before={before} after={after} settings={changesBetween(was, is)} />
        )}
        <div className="grid grid-cols-2 gap-6 max-md:grid-cols-1">
          <Side title="Before" turn={before.turn} settings={was} transcript={earlier} />
          <Side title="After" turn={after.turn} against={before.turn} settings={is} transcript={replies.get(1)}>
            {question !== null && <QuestionBubble key={question.interactionId} id={id} question={question} />}
          </Side>
        </div>
        {hasEnded && (
          <Section title="Differences of the replies">
            <div className="py-3">
              <TextDifference before={before.turn.reply ?? ""} after={after.turn.reply ?? ""} />
            </div>
          </Section>
        )}
      </div>
      {open === "edit" && <RerunSheet agent={agent} {...after} onClose={() => setOpen(undefined)} />}
      {open === "save" && (
        <SaveVersion
          agent={agent}
          changes={unsaved}
          values={after.conversation.changes}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

/** What was changed for the second reply: settings, and the message. */
function Changes({
  before,
  after,
  settings,
}: {
  readonly before: TurnIn;
  readonly after: TurnIn;
  readonly settings: ReturnType<typeof changesBetween>;
}) {
  const [said, says] = [before.turn.message ?? "", after.turn.message ?? ""];
  const changes = [
    ...(said === says ? [] : [{ label: "Message", isText: true, before: said, after: says }]),
    ...settings,
  ];
  return (
    <Section title="What was changed">
      {changes.length === 0 ? (
        <p className="py-3 text-ink-2">
          Neither the message nor a setting. Results of tools are marked in the steps of the run.
        </p>
      ) : (
        <ChangeList changes={changes} />
      )}
    </Section>
  );
}
