import * as Base from "radix-ui/dialog";
import type { ReactNode } from "react";
import { DialogHeader } from "./dialog-header.tsx";
import { keepInView } from "./keep-in-view.ts";
import { useReturnedFocus } from "./return-focus.ts";

/** A panel over the right side of the page; full screen on a phone. */
export function Sheet({
  title,
  description,
  fills = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  /** Its content has margins of its own. */
  readonly fills?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const giveBack = useReturnedFocus(true);
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Base.Content
          {...(description === undefined && { "aria-describedby": undefined })}
          onCloseAutoFocus={giveBack}
          onFocus={keepInView}
          className="fixed inset-y-0 end-0 z-50 flex w-full max-w-140 flex-col floats border-y-0 border-e-0 outline-none"
        >
          <DialogHeader title={title} description={description} className="border-b border-line py-4" />
          <div className={`min-h-0 flex-1 scroll-pt-14 scroll-pb-20 overflow-y-auto ${fills ? "" : "px-page py-4"}`}>
            {children}
          </div>
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  );
}
