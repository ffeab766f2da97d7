import * as Base from "radix-ui/dropdown-menu";
import type { KeyboardEvent, ReactNode } from "react";
import { Input } from "./field.tsx";
import { CheckIcon } from "./icon.tsx";
import type { Icon } from "./icon.tsx";

const ITEM = "option h-control outline-none data-[disabled]:text-ink-3 data-[highlighted]:bg-raised";

/** A menu that opens from its trigger, which is one focusable element. */
export function Menu({
  trigger,
  align = "end",
  onCloseFocus,
  children,
}: {
  readonly trigger: ReactNode;
  readonly align?: "start" | "end";
  /** Called when the menu has closed and its trigger is about to get the focus, which the event can prevent. */
  readonly onCloseFocus?: (event: Event) => void;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger asChild>{trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          {...(onCloseFocus && { onCloseAutoFocus: onCloseFocus })}
          className="popup max-h-(--room) min-w-48"
        >
          {children}
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  );
}

/** One thing to do. */
export function MenuItem({
  icon: Icon,
  keys,
  look = "plain",
  isDisabled = false,
  blockedBy,
  onSelect,
  children,
}: {
  readonly icon?: Icon;
  /** The keys that do the same. */
  readonly keys?: string;
  readonly look?: "plain" | "danger";
  readonly isDisabled?: boolean;
  /** Why the person may not do it; shown. */
  readonly blockedBy?: string | undefined;
  /** Closes the menu, unless the default of the event is prevented. */
  readonly onSelect: (event: Event) => void;
  readonly children: ReactNode;
}) {
  return (
    <Base.Item
      disabled={isDisabled || blockedBy !== undefined}
      title={blockedBy}
      onSelect={onSelect}
      className={`${ITEM} ${look === "danger" ? "text-failed data-[highlighted]:bg-failed-soft" : ""}`}
    >
      {Icon && <Icon className={look === "danger" ? "" : "text-ink-3"} />}
      <span className="flex-1 truncate">{children}</span>
      {keys !== undefined && <span className="text-small text-ink-3">{keys}</span>}
    </Base.Item>
  );
}

/** One of several, of which one is chosen. */
export function MenuChoice<T extends string>({
  value,
  options,
  onChange,
}: {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: ReactNode; readonly icon?: Icon }[];
  readonly onChange: (value: T) => void;
}) {
  return (
    <Base.RadioGroup value={value}>
      {options.map(({ value: each, label, icon: Icon }) => (
        <Base.RadioItem key={each} value={each} onSelect={() => onChange(each)} className={ITEM}>
          {Icon && <Icon className="text-ink-3" />}
          <span className="flex-1 truncate">{label}</span>
          <Base.ItemIndicator>
            <CheckIcon className="text-accent" />
          </Base.ItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

/** Several of several; the menu stays open while one chooses. */
export function MenuChecks<T extends string>({
  values,
  options,
  onToggle,
}: {
  readonly values: readonly T[];
  readonly options: readonly { readonly value: T; readonly label: ReactNode }[];
  readonly onToggle: (value: T) => void;
}) {
  return options.map(({ value, label }) => (
    <Base.CheckboxItem
      key={value}
      checked={values.includes(value)}
      onCheckedChange={() => onToggle(value)}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span className="flex-1 truncate">{label}</span>
      <Base.ItemIndicator>
        <CheckIcon className="text-accent" />
      </Base.ItemIndicator>
    </Base.CheckboxItem>
  ));
}

/** A field at the top of a menu that narrows what it lists; the arrow down leads to the first item. */
export function MenuSearch({
  label,
  text,
  onText,
}: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      event.currentTarget.closest("[role=menu]")?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    }
    // The menu would take letters for the beginning of an item.
    if (event.key !== "Escape") event.stopPropagation();
  }
  return (
    <div className="p-1">
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** A heading inside of a menu. */
export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Base.Label className="truncate px-2 pt-2 pb-1 text-caption font-medium text-ink-3">{children}</Base.Label>;
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}
