import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icon.tsx";
import type { Icon } from "./icon.tsx";
import { showToast } from "./messages.ts";

const CONFIRMED_MS = 1_500;

/** Copies a text; its icon and its name confirm it. */
export function CopyButton({
  text,
  label,
  icon = CopyIcon,
  className = "",
}: {
  readonly text: string;
  readonly label: string;
  readonly icon?: Icon;
  /** Such as margins within a line of text. */
  readonly className?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      label={isCopied ? "Copied" : label}
      icon={isCopied ? CheckIcon : icon}
      className={className}
      onClick={() => void copyText(text).then(setCopied)}
    />
  );
}

/** Copies a text. Browsers allow it on https and on localhost only; elsewhere a message explains that. */
export async function copyText(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) {
    showToast("This browser copies from https pages only. Select the text instead.");
    return false;
  }
  await navigator.clipboard.writeText(text);
  return true;
}
