import type { ComponentProps } from "react";
import { visibleText } from "../lib/visible-text.ts";

/**
 * A text that people, models or other services wrote, in a line: it does not turn the text around it, and characters
 * that would are shown.
 */
export function Bdi({
  children,
  ...props
}: Omit<ComponentProps<"bdi">, "children"> & { readonly children: string | null | undefined }) {
  return <bdi {...props}>{visibleText(children ?? "")}</bdi>;
}
