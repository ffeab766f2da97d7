import * as Dialog from "radix-ui/dialog";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { CloseIcon } from "./icons.ts";
import { visibleText } from "../lib/visible-text.ts";

/** The title of a dialog or a sheet, and the button that closes it, on one line. */
export function DialogHeader({
  title,
  description,
  className,
  isClosable = true,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  /** Its padding and its border. */
  readonly className: string;
  readonly isClosable?: boolean;
}) {
  return (
    <header className={`flex items-start justify-between gap-4 px-page ${className}`}>
      <div className="min-w-0">
        <Dialog.Title dir="auto" className="text-h2 font-semibold">
          {visibleText(title)}
        </Dialog.Title>
        {description !== undefined && (
          <Dialog.Description className="mt-1 text-ink-2">{description}</Dialog.Description>
        )}
      </div>
      {isClosable && (
        <Dialog.Close asChild>
          <IconButton label="Close" icon={CloseIcon} className="-my-0.5 -me-2 touch:-my-2.5" />
        </Dialog.Close>
      )}
    </header>
  );
}
