import { useRef } from "react";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { CloseIcon, SchedulesIcon } from "../../ui/icons.ts";
import type { ChatProps } from "./chat-props.ts";
import type { Conversation } from "./records.ts";

const PANEL = "m-auto overflow-y-auto rounded-dialog bg-canvas text-ink floats";
const ROW = "min-h-11 min-w-0 flex-1 rounded-control px-2 py-1 text-start hover:bg-raised";

/** The conversations that this browser keeps. */
export function History({ visit, state: { kept, conversation } }: ChatProps) {
  const list = useRef<HTMLDialogElement>(null);
  if (kept.length === 0) return null;
  const close = () => list.current?.close();
  return (
    <>
      <Button look="quiet" icon={SchedulesIcon} aria-haspopup="dialog" onClick={() => list.current?.showModal()}>
        <span className="max-sm:sr-only">History</span>
      </Button>
      <dialog ref={list} aria-labelledby="history-title" className={`${PANEL} max-h-[80dvh] w-full max-w-[28rem] p-4`}>
        <div className="flex items-center gap-2">
          <h2 id="history-title" className="flex-1 text-h2 font-semibold">
            Your conversations
          </h2>
          <Button look="quiet" icon={CloseIcon} aria-label="Close" onClick={close} />
        </div>
        <p className="mt-1 text-small text-ink-2">Only this browser has them.</p>
        <ul className="mt-3 flex flex-col gap-1">
          {kept.map((each) => (
            <Kept
              key={each.id}
              conversation={each}
              isShown={each.id === conversation.id}
              onShow={() => {
                visit.show(each.id);
                close();
              }}
              onForget={() => visit.forget(each.id)}
            />
          ))}
        </ul>
      </dialog>
    </>
  );
}

function Kept({
  conversation: { title, at },
  isShown,
  onShow,
  onForget,
}: {
  readonly conversation: Conversation;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onForget: () => void;
}) {
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        aria-current={isShown || undefined}
        className={`${ROW} ${isShown ? "bg-raised" : ""}`}
        onClick={onShow}
      >
        <span dir="auto" className="block truncate">
          {visibleText(title)}
        </span>
        <span className="block text-small text-ink-3">{new Date(at).toLocaleString()}</span>
      </button>
      <Button look="quiet" icon={CloseIcon} aria-label={`Forget: ${title}`} onClick={onForget} />
    </li>
  );
}
