import type { ReactNode } from "react";

/** Stands for equal parts that are folded; shows them. */
export function ShowEqual({
  className,
  onShow,
  children,
}: {
  readonly className: string;
  readonly onShow: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      data-row
      onClick={onShow}
      className={`w-full text-start text-small text-ink-3 hover:text-ink touch:min-h-11 ${className}`}
    >
      {children}, show
    </button>
  );
}
