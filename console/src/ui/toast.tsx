import { Toast as Base } from "radix-ui";
import { useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { CloseIcon } from "./icons.tsx";

interface Message {
  readonly id: number;
  readonly text: ReactNode;
  readonly action?: { readonly label: string; readonly onClick: () => void } | undefined;
}

const SHOWN_MS = 6_000;
let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says for some seconds what cannot be seen on the page itself. */
export function showToast(text: ReactNode, action?: Message["action"]): void {
  lastId += 1;
  replace([...messages, { id: lastId, text, action }]);
}

function replace(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear; once per page. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <Base.Provider duration={SHOWN_MS} swipeDirection="down">
      {shown.map(({ id, text, action }) => (
        <Base.Root
          key={id}
          onOpenChange={(open) => !open && replace(messages.filter((each) => each.id !== id))}
          className="flex animate-appear items-center gap-3 rounded-panel border border-line bg-canvas py-1.5 ps-4 pe-1.5 shadow-float"
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
      <Base.Viewport className="fixed bottom-4 left-1/2 z-60 flex w-[min(420px,calc(100vw-32px))] -translate-x-1/2 flex-col gap-2 outline-none max-sm:bottom-18" />
    </Base.Provider>
  );
}
