import type { ComponentProps } from "react";

/** The button of a menu that is as wide as the sidebar. */
export function WideTrigger(props: Omit<ComponentProps<"button">, "type" | "className">) {
  return (
    <button
      type="button"
      {...props}
      className="flex h-10 w-full items-center gap-2.5 rounded-control px-1.5 text-start transition-colors hover:bg-raised touch:h-11"
    />
  );
}
