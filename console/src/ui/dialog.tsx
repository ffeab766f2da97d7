import * as Base from "radix-ui/dialog";
import type { ReactNode } from "react";
import { DialogHeader } from "./dialog-header.tsx";
import { keepInView } from "./keep-in-view.ts";
import { useReturnedFocus } from "./return-focus.ts";

const FIRST_FIELD = "[autofocus], input:enabled:not([type=file], [type=hidden]), textarea:enabled, select:enabled";

/** A dialog over the page: full screen on a phone. Focus returns to the element that had it before. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  width = "regular",
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  /** Absent where something has to be done first. */
  readonly onClose?: () => void;
  readonly width?: "small" | "regular";
  readonly children: ReactNode;
}) {
  const giveBack = useReturnedFocus(isOpen);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()}>
      <Base.Portal>
        <Base.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Base.Content
          {...(description === undefined && { "aria-describedby": undefined })}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={giveBack}
          onFocus={keepInView}
          className={`dialog inset-x-0 flex max-h-[80vh] w-full flex-col max-sm:full-screen ${width === "small" ? "max-w-[27.5rem]" : "max-w-[37.5rem]"}`}
        >
          <DialogHeader
            title={title}
            description={description}
            className="pt-5 pb-1"
            isClosable={onClose !== undefined}
          />
          <div className="min-h-0 flex-1 scroll-pb-20 overflow-y-auto px-page pt-3 pb-6">{children}</div>
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  );
}

/** The first field gets the focus instead of the close button, so that people can type immediately. */
function focusFirstField(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return;
  const field = event.target.querySelector<HTMLElement>(FIRST_FIELD);
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

/** The buttons at the end of a dialog's form. They stay in view while a long form scrolls. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="sticky -bottom-6 bar -mx-page mt-1 -mb-6 flex-wrap justify-end rounded-b-dialog border-t py-3">
      {children}
    </div>
  );
}
