import { Suspense, lazy } from "react";
import { Bdi } from "../../ui/bdi.tsx";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { PlusIcon } from "../../ui/icons.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { useWork } from "../../ui/use-action.ts";
import { Followed } from "../run/log/followed.tsx";
import { COLUMN } from "./chat-props.ts";
import type { ChatProps } from "./chat-props.ts";
import { Entries } from "./entries.tsx";
import { History } from "./history.tsx";
import { VisitComposer } from "./composer.tsx";
import { loadPart } from "../../lib/load-part.ts";

const VisitQuestion = lazy(() => loadPart(() => import("./question.tsx")));

/** A conversation of a visitor with an agent, made for a phone and for a frame. */
export function Chat({ visit, state }: ChatProps) {
  const { conversation, page } = state;
  const { entries, question, state: doing } = conversation;
  const isNew = entries.length === 0;
  return (
    <div className="flex min-h-dvh flex-col">
      <Head visit={visit} state={state} />
      <main className={`${COLUMN} flex flex-1 flex-col py-5`}>
        <Followed
          key={conversation.id}
          turn={isNew ? undefined : entries.length}
          className={`flex flex-col gap-5 ${isNew ? "my-auto" : ""}`}
        >
          {page !== undefined && page.greeting !== "" && <Markdown text={page.greeting} />}
          {isNew && <Prompts visit={visit} state={state} />}
          <Entries conversation={conversation} />
          {doing === "asking" && question !== undefined && (
            <Suspense>
              <VisitQuestion key={question.interactionId} question={question} visit={visit} />
            </Suspense>
          )}
          <Status state={state} />
        </Followed>
      </main>
      <VisitComposer key={conversation.id} visit={visit} state={state} />
    </div>
  );
}

function Head({ visit, state }: ChatProps) {
  const { conversation, title } = state;
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-canvas">
      <div className={`${COLUMN} flex min-h-14 items-center gap-1`}>
        <h1 className="min-w-0 flex-1 truncate text-h2 font-semibold">
          <Bdi>{title}</Bdi>
        </h1>
        {conversation.entries.length > 0 && (
          <Button look="quiet" icon={PlusIcon} aria-label="New conversation" onClick={() => visit.show()}>
            <span className="max-sm:hidden">New</span>
          </Button>
        )}
        <History visit={visit} state={state} />
      </div>
    </header>
  );
}

/** Messages to begin with. */
function Prompts({ visit, state: { page } }: ChatProps) {
  const { isBusy, error, start } = useWork();
  if (page === undefined || page.prompts.length === 0) return null;
  return (
    <>
      <ul aria-label="Suggestions" className="flex flex-wrap gap-2">
        {page.prompts.map((prompt) => (
          <li key={prompt} className="min-w-0">
            <button
              type="button"
              dir="auto"
              disabled={isBusy}
              className="box min-h-11 px-3 py-2 text-start hover:bg-raised"
              onClick={() => start(() => visit.say(prompt, []))}
            >
              {visibleText(prompt)}
            </button>
          </li>
        ))}
      </ul>
      {error !== undefined && <FormError>{error}</FormError>}
    </>
  );
}

function Status({ state: { conversation, isOffline } }: Pick<ChatProps, "state">) {
  const { state: doing, entries } = conversation;
  const isWriting = entries.at(-1)?.kind === "reply" && doing === "working";
  return (
    <p role="status" className={isOffline || doing === "waiting" ? "text-ink-2" : "animate-breathe text-ink-3"}>
      {isOffline && "The connection was lost. Trying again …"}
      {!isOffline && doing === "working" && !isWriting && "Thinking …"}
      {!isOffline &&
        doing === "waiting" &&
        "Waiting for approval by a person. You can leave, and come back here later."}
    </p>
  );
}
