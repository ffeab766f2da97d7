import type { ComponentProps } from "react";

/** The button of a menu that is as wide as the sidebar. */
export function WideTrigger(props: Omit<ComponentProps<"button">, "type" | "className">) {
  return (
    <button
      type="button"
      {...props}
      className="option h-10 w-full gap-2.5 px-1.5 transition-colors hover:bg-raised touch:h-11"
    />
  );
}
