import * as Base from "radix-ui/toast";
import { IconButton } from "./button.tsx";
import { CloseIcon } from "./icons.ts";
import { dropMessage } from "./messages.ts";
import type { Message } from "./messages.ts";

const SHOWN_MS = 6_000;

/** Where toasts appear; once per page. */
export default function Toasts({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <Base.Provider duration={SHOWN_MS} swipeDirection="down">
      {messages.map(({ id, text, action }) => (
        <Base.Root
          key={id}
          onOpenChange={(open) => !open && dropMessage(id)}
          // It closes the message; the page would lead back.
          onEscapeKeyDown={(event) => event.stopPropagation()}
          className="flex items-center gap-3 rounded-panel py-1.5 ps-4 pe-1.5 floats"
        >
          <Base.Description className="min-w-0 flex-1">{text}</Base.Description>
          {action && (
            <Base.Action
              altText={action.label}
              onClick={action.onClick}
              className="h-7 rounded-control px-2 font-medium text-accent hover:bg-raised touch:h-11"
            >
              {action.label}
            </Base.Action>
          )}
          <Base.Close asChild>
            <IconButton label="Close message" icon={CloseIcon} />
          </Base.Close>
        </Base.Root>
      ))}
      <Base.Viewport className="fixed inset-x-4 bottom-(--bottom-bar,0px) z-60 mx-auto mb-4 grid max-w-105 gap-2 max-sm:mb-18" />
    </Base.Provider>
  );
}
