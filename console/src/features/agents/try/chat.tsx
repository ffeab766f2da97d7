import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { FormEvent } from "react";
import { asProblem } from "../../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../../api/use-session.ts";
import { withMod } from "../../../lib/keys.ts";
import { usePageNavigate } from "../../../lib/use-page-navigate.ts";
import { bottomBar } from "../../../ui/bottom-bar.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { FormError, Textarea } from "../../../ui/field.tsx";
import { Followed } from "../../run/log/followed.tsx";
import { TranscriptView } from "../../run/log/transcript-view.tsx";
import type { Transcript } from "../../run/log/transcript.ts";
import type { Agent } from "../records.ts";
import { readComposerText, storeComposerText } from "./composer-text.ts";
import { readSentMessages, sendMessage, storeSentMessages } from "./sent-messages.ts";
import { useConversation } from "./use-conversation.ts";

/** A conversation with an agent. It is a task like any other: its run has all details. */
export function Chat({
  agent,
  changed,
  id,
  isStarted,
}: {
  readonly agent: Agent;
  /** The labels of what is not saved, and so is not tried. */
  readonly changed: readonly string[];
  /** The id of its task, which the first message creates. */
  readonly id: string;
  readonly isStarted: boolean;
}) {
  const navigate = usePageNavigate({ from: "/w/$workspace/agents/$id" });
  const [said, setSaid] = useState(() => readSentMessages(id));
  const [atFirst] = useState(said.length);
  const answers = useConversation(id, isStarted);
  const last = answers.at(-1);
  const isWorking = isStarted && (answers.length < said.length || (last !== undefined && !last.isOver));

  async function say(text: string): Promise<void> {
    await sendMessage(agent.id, id, text);
    const next = [...said, text];
    storeSentMessages(id, next);
    storeComposerText(agent.id, "");
    setSaid(next);
    if (!isStarted) await navigate({ search: { tab: "try", thread: id }, replace: true });
  }

  return (
    <section aria-label="Conversation" className="flex min-w-0 flex-col">
      <Notes agent={agent} changed={changed} thread={isStarted ? id : undefined} />
      <div className="flex-1 px-6 py-5 max-sm:px-4">
        <Followed
          turn={said.length > atFirst || last?.isOver === false ? said.length : undefined}
          className="flex flex-col gap-6"
        >
          {said.length === 0 && answers.length === 0 && (
            <p className="text-ink-2">
              Say something. The agent answers as in any run, with its tools, and at its cost.
            </p>
          )}
          {Array.from({ length: Math.max(said.length, answers.length) }, (_, index) => (
            <Exchange key={index} said={said[index]} answer={answers[index]} />
          ))}
        </Followed>
      </div>
      <Composer agentId={agent.id} isWorking={isWorking} onSay={say} />
    </section>
  );
}

/** What to know before judging the answers: what is not saved is not tried. */
function Notes({
  agent,
  changed,
  thread,
}: {
  readonly agent: Agent;
  readonly changed: readonly string[];
  readonly thread: string | undefined;
}) {
  const { slug } = useWorkspace();
  if (changed.length === 0 && thread === undefined) return null;
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-6 py-1.5 max-sm:px-4">
      {changed.length > 0 && (
        <p role="status" className="text-waiting">
          Version {agent.version} answers. Not tried, since not saved: {changed.join(", ")}
        </p>
      )}
      {thread !== undefined && (
        <span className="ms-auto flex gap-2">
          <Link
            to="/w/$workspace/runs/$id"
            params={{ workspace: slug, id: thread }}
            className={buttonClass({ size: "small" })}
          >
            Open run
          </Link>
          <Link
            to="/w/$workspace/agents/$id"
            params={{ workspace: slug, id: agent.id }}
            search={{ tab: "try" }}
            className={buttonClass({ size: "small" })}
          >
            New conversation
          </Link>
        </span>
      )}
    </div>
  );
}

function Exchange({ said, answer }: { readonly said: string | undefined; readonly answer: Transcript | undefined }) {
  return (
    <div className="flex flex-col gap-3">
      {said !== undefined && (
        <p dir="auto" className="max-w-[72ch] self-end rounded-panel bg-raised px-3 py-2 whitespace-pre-wrap">
          {said}
        </p>
      )}
      {answer === undefined ? (
        <p className="animate-breathe text-ink-3">Starting</p>
      ) : (
        <TranscriptView entries={answer.entries} nameOf={() => undefined} />
      )}
    </div>
  );
}

function Composer({
  agentId,
  isWorking,
  onSay,
}: {
  readonly agentId: string;
  readonly isWorking: boolean;
  readonly onSay: (text: string) => Promise<void>;
}) {
  const [text, setText] = useState(() => readComposerText(agentId));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const blockedBy = useBlockedBy("member");

  function write(next: string): void {
    setText(next);
    storeComposerText(agentId, next);
  }

  async function send(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (text.trim() === "" || isBusy || isWorking) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSay(text);
      write("");
    } catch (failure) {
      setError(asProblem(failure).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      ref={bottomBar}
      onSubmit={(event) => void send(event)}
      className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-canvas px-6 py-3 max-sm:px-4"
    >
      {error !== undefined && <FormError>{error}</FormError>}
      <div className="flex items-end gap-2">
        <Textarea
          aria-label="Message"
          placeholder={`Message (${withMod("Enter")} sends)`}
          rows={2}
          value={text}
          disabled={blockedBy !== undefined}
          onChange={({ target }) => write(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void send();
          }}
          className="min-h-14"
        />
        <Button
          look="primary"
          type="submit"
          isBusy={isBusy || isWorking}
          blockedBy={blockedBy}
          disabled={text.trim() === "" && !isWorking}
        >
          Send
        </Button>
      </div>
    </form>
  );
}
