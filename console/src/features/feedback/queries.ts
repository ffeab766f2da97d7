import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "#client/gen/schema.ts";
import { giveRunFeedback, withdrawRunFeedback } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { showFailure } from "../../ui/messages.ts";

/** What a person said of a run or of a message. */
export type Feedback = components["schemas"]["Feedback"];

/** What is judged: an attempt of a run, or one message of it. */
export interface FeedbackSubject {
  readonly runId: string;
  readonly attempt: number;
  readonly messageId: string | null;
}

/** What is said. */
export type Said = Pick<Feedback, "rating" | "note" | "correction">;

/** Records what the person says, or takes it back when nothing is left of it. */
export function useGiveFeedback({ runId: id, attempt, messageId }: FeedbackSubject) {
  const client = useQueryClient();
  return useMutation({
    async mutationFn({ said, before }: { readonly said: Said; readonly before: Feedback | undefined }) {
      if (said.rating !== null || said.note !== "" || said.correction !== "") {
        await call(giveRunFeedback)({ id }, { ...said, attempt, message_id: messageId });
      } else if (before !== undefined) {
        await call(withdrawRunFeedback)({ id, feedback_id: before.id });
      }
    },
    onError: showFailure,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["runs"] });
      return client.invalidateQueries({ queryKey: ["run", id] });
    },
  });
}
