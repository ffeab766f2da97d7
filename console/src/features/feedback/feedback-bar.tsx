import { useState } from "react";
import { useAccess, useBlockedBy } from "../../api/use-session.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Button } from "../../ui/button.tsx";
import { ThumbDownIcon, ThumbUpIcon } from "./icons.ts";
import { FeedbackDialog } from "./feedback-dialog.tsx";
import { useGiveFeedback } from "./queries.ts";
import type { Feedback, FeedbackSubject } from "./queries.ts";

const NOTHING = { rating: null, note: "", correction: "" } as const;
const THUMBS = [
  { rating: "up", label: "Good answer", icon: ThumbUpIcon },
  { rating: "down", label: "Bad answer", icon: ThumbDownIcon },
] as const;

/** A thumb, a note and a corrected answer, of a run or a message; and what others said of it. */
export function FeedbackBar({
  subject,
  given,
}: {
  readonly subject: FeedbackSubject;
  /** What was said of the run and its messages. */
  readonly given: readonly Feedback[];
}) {
  const { user } = useAccess();
  const blockedBy = useBlockedBy("member");
  const [isWriting, setWriting] = useState(false);
  const { mutateAsync, mutate, isPending } = useGiveFeedback(subject);
  const about = given.filter((one) => one.attempt === subject.attempt && one.message_id === subject.messageId);
  const own = about.find(({ by }) => by.id === user.id);
  const { rating, note, correction } = own ?? NOTHING;
  const hasWords = note !== "" || correction !== "";
  return (
    <div role="group" aria-label="Feedback" className="flex flex-col gap-2 print:hidden">
      <div className="-ms-2 flex flex-wrap items-center gap-1 touch:-ms-3">
        {THUMBS.map(({ rating: thumb, label, icon: Icon }) => (
          <Button
            key={thumb}
            look={rating === thumb ? "plain" : "quiet"}
            size="small"
            aria-pressed={rating === thumb}
            aria-label={label}
            title={label}
            blockedBy={blockedBy}
            disabled={isPending}
            onClick={() => mutate({ said: { note, correction, rating: rating === thumb ? null : thumb }, before: own })}
          >
            <Icon className={rating !== thumb ? "" : thumb === "up" ? "text-completed" : "text-failed"} />
          </Button>
        ))}
        <Button look="quiet" size="small" blockedBy={blockedBy} onClick={() => setWriting(true)}>
          {hasWords ? "Change note" : "Add a note"}
        </Button>
      </div>
      {about
        .filter((one) => one.note !== "" || one.correction !== "" || one !== own)
        .map((one) => (
          <Words key={one.id} feedback={one} />
        ))}
      {isWriting && (
        <FeedbackDialog
          subject={subject}
          own={own}
          onSave={(said) => mutateAsync({ said: { ...said, rating }, before: own })}
          onClose={() => setWriting(false)}
        />
      )}
    </div>
  );
}

function Words({ feedback: { by, rating, note, correction } }: { readonly feedback: Feedback }) {
  return (
    <div className="flex flex-col gap-0.5 text-small">
      <p>
        <Bdi className="font-medium">{by.name}</Bdi>
        {rating !== null && <span className="text-ink-3"> · {rating === "up" ? "good" : "bad"}</span>}
      </p>
      {note !== "" && <Bdi className="max-w-[72ch] whitespace-pre-wrap text-ink-2">{note}</Bdi>}
      {correction !== "" && (
        <p className="max-w-[72ch] whitespace-pre-wrap text-ink-2">
          Should be: <Bdi>{correction}</Bdi>
        </p>
      )}
    </div>
  );
}
