import type { PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";
import type { DeliveryContext } from "../define-destination.ts";

/** How a destination asks people. */
export interface PeopleChannel<Config> {
  /** What to do at the vendor, in Markdown; `{url}` is the URL at which the vendor calls the route. */
  readonly setup: string;
  /** Whether presses of buttons come back; otherwise people answer by the link alone. Absent: they never do. */
  takesPresses?(config: Config): boolean;
  /** Posts a question; returns its ids if it can be edited. @throws DeliveryError */
  ask(context: DeliveryContext, config: Config, message: QuestionMessage): Promise<PostedMessage | null>;
  /** Replaces a posted question by how it ended. Absent where a message cannot be edited. @throws DeliveryError */
  close?(
    context: DeliveryContext,
    config: Config,
    ended: { readonly posted: PostedMessage; readonly message: QuestionMessage },
  ): Promise<void>;
}
