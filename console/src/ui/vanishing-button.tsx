import { useRef } from "react";
import { Button } from "./button.tsx";
import type { ButtonProps } from "./button.tsx";
import { useFocusKept } from "./return-focus.ts";

/** A button that its own work may remove: the focus then goes to the content of the page, and is not lost. */
export function VanishingButton(props: Omit<ButtonProps, "ref">) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button);
  return <Button ref={button} {...props} />;
}
