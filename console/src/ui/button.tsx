import type { ComponentProps, ReactNode } from "react";
import type { Icon } from "./icon.tsx";
import { showToast } from "./messages.ts";

const LOOKS = {
  /** One per screen. */
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent/90 active:bg-accent/80",
  plain: "border-line bg-canvas text-ink hover:bg-raised",
  quiet: "border-transparent text-ink-2 hover:bg-raised hover:text-ink",
  danger: "border-line bg-canvas text-failed hover:bg-failed-soft",
  /** Only in the dialog that asks once more. */
  dangerFilled: "border-transparent bg-failed text-on-accent hover:bg-failed/90",
} as const;
const SIZES = {
  regular: "h-control px-3 touch:px-4",
  /** In toolbars. */
  small: "h-7 px-2 touch:h-11 touch:px-3",
  large: "h-11 px-4 text-h3",
} as const;

/** What {@link Button} and {@link buttonClass} take. */
export interface ButtonLook {
  readonly look?: keyof typeof LOOKS;
  readonly size?: keyof typeof SIZES;
}

export interface ButtonProps extends Omit<ComponentProps<"button">, "type">, ButtonLook {
  readonly icon?: Icon;
  /** While its work is in progress: it cannot be pressed again. */
  readonly isBusy?: boolean;
  /** Why it cannot be pressed now: in its tooltip, and, for those who have none, when it is pressed. */
  readonly blockedBy?: string | undefined;
  readonly type?: "button" | "submit";
  readonly children?: ReactNode;
}

/** The look of a button, for links that act like one. */
export function buttonClass({ look = "plain", size = "regular" }: ButtonLook = {}): string {
  return `button ${LOOKS[look]} ${SIZES[size]}`;
}

/** A button, labelled with a verb and a noun. A disabled one explains why. */
export function Button({
  look,
  size,
  icon: Icon,
  isBusy = false,
  blockedBy,
  children,
  className = "",
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass({ ...(look && { look }), ...(size && { size }) })} ${className}`}
      disabled={rest.disabled === true && blockedBy === undefined}
      aria-disabled={blockedBy !== undefined || undefined}
      aria-busy={isBusy || undefined}
      title={blockedBy ?? rest.title}
      onClick={
        isBusy || blockedBy !== undefined
          ? (event) => {
              event.preventDefault();
              if (blockedBy !== undefined) showToast(blockedBy);
            }
          : rest.onClick
      }
    >
      {isBusy ? <Spinner /> : Icon && <Icon className={children === undefined ? "" : "-ms-0.5"} />}
      {children}
    </button>
  );
}

/** For an icon at the end of a line: its drawing, not its larger target, ends where the line does. */
export const AT_EDGE = "-me-1.5 touch:-me-3.5";

/** A button that is an icon alone; `label` is its name and its tooltip. */
export function IconButton({
  label,
  icon: Icon,
  className = "",
  ...rest
}: Omit<ComponentProps<"button">, "type"> & { readonly label: string; readonly icon: Icon }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={`icon-button text-ink-2 disabled:opacity-50 ${className}`}
    >
      <Icon />
    </button>
  );
}

/** Something is in progress that takes a moment. */
export function Spinner() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 shrink-0 animate-[spin_0.8s_linear_infinite]"
      fill="none"
    >
      <circle cx="8" cy="8" r="5.75" stroke="currentColor" strokeWidth="1.5" opacity="0.25" />
      <path d="M8 2.25A5.75 5.75 0 0 1 13.75 8" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}
