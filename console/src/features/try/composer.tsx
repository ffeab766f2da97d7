import { useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { useMatches } from "../../lib/use-matches.ts";
import { bottomBar } from "../../ui/bottom-bar.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { Textarea } from "../../ui/fields.tsx";
import { useWork } from "../../ui/use-action.ts";
import { StopIcon } from "../../ui/icons.ts";
import { readComposerText, storeComposerText } from "../records/composer-text.ts";

/** A keyboard on the screen has no Shift+Enter. */
const TOUCH = "(pointer: coarse)";

/** What {@link Composer} takes. */
interface ComposerProps {
  readonly agentId: string;
  readonly isWorking: boolean;
  readonly onSay: (text: string) => Promise<void>;
  readonly onStop: () => Promise<void>;
}

/** Where the next message is written; while the agent works, it can be stopped. */
export function Composer({ agentId, isWorking, onSay, onStop }: ComposerProps) {
  const [text, setText] = useState(() => readComposerText(agentId));
  const { isBusy, error, start } = useWork();
  const blockedBy = useBlockedBy("member");
  const isTouch = useMatches(TOUCH);

  function write(next: string): void {
    setText(next);
    storeComposerText(agentId, next);
  }

  function send(event: FormEvent | KeyboardEvent): void {
    event.preventDefault();
    if (text.trim() === "" || isBusy || isWorking) return;
    start(async () => {
      await onSay(text);
      write("");
    });
  }

  return (
    <form
      ref={bottomBar}
      onSubmit={send}
      className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-canvas px-page py-3"
    >
      {error !== undefined && <FormError>{error}</FormError>}
      <div className="flex items-end gap-2">
        <Textarea
          aria-label="Message"
          placeholder={isTouch ? "Message" : "Message (Enter sends, Shift+Enter starts a new line)"}
          rows={2}
          value={text}
          disabled={blockedBy !== undefined}
          onChange={({ target }) => write(target.value)}
          onKeyDown={(event) => {
            // Enter also ends the choice of a character that is composed of several keys.
            if (event.key === "Enter" && !event.shiftKey && !isTouch && !event.nativeEvent.isComposing) send(event);
          }}
          className="min-h-14"
        />
        {isWorking ? (
          <Button icon={StopIcon} isBusy={isBusy} blockedBy={blockedBy} onClick={() => start(onStop)}>
            Stop
          </Button>
        ) : (
          <Button look="primary" type="submit" isBusy={isBusy} blockedBy={blockedBy} disabled={text.trim() === ""}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
