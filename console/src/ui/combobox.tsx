import * as Popover from "radix-ui/popover";
import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { Input } from "./field.tsx";
import { CheckIcon } from "./icon.tsx";
import { SelectIcon } from "./icons.ts";

/** One thing to choose in a {@link Combobox}. */
export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  /** The heading under which it is listed; those of one heading follow each other. */
  readonly group?: string | undefined;
}

export interface ComboboxProps {
  readonly value: string;
  /** What the chosen one is called. */
  readonly chosen: string;
  /** The matches of the text, in order; while they are searched for, those of an earlier text. */
  readonly options: readonly ComboboxOption[];
  readonly isSearching: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onChoose: (value: string) => void;
  /** What may be typed, while nothing is chosen. */
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
  readonly "aria-label"?: string | undefined;
}

/**
 * A field that finds one of many: typed text is a search, the arrow keys move through the results, Enter
 * chooses, Escape leaves it as it was. Enter during a search chooses its first result.
 */
export function Combobox(props: ComboboxProps) {
  const { value, chosen, text, onText, placeholder, isDisabled = false } = props;
  const id = useId();
  const list = useList(props);
  const { isOpen, shown, current } = list;
  return (
    <Popover.Root open={isOpen} onOpenChange={list.setShown}>
      <Popover.Anchor className="relative block">
        <Input
          aria-label={props["aria-label"]}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && current >= 0 ? `${id}-${current}` : undefined}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          disabled={isDisabled}
          className="pe-8"
          value={isOpen ? text : chosen}
          placeholder={isOpen && chosen !== "" ? chosen : placeholder}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => {
            list.restart();
            // Text typed after the name of the current choice replaces it.
            onText(!isOpen && target.value.startsWith(chosen) ? target.value.slice(chosen.length) : target.value);
          }}
          onClick={list.open}
          onBlur={() => list.setShown(false)}
          onKeyDown={list.onKeyDown}
        />
        <SelectIcon className="pointer-events-none absolute end-2 top-1/2 -translate-y-1/2 text-ink-3" />
      </Popover.Anchor>
      <List id={`${id}-list`} press={list.press}>
        {shown.length === 0 ? (
          <NoOption>{props.isSearching ? "Searching…" : "Nothing matches"}</NoOption>
        ) : (
          <Options id={id} options={shown} value={value} current={current} onChoose={list.choose} />
        )}
      </List>
    </Popover.Root>
  );
}

/** Which options are shown, which of them is the current one, and what keys and presses do. */
function useList({ options, isSearching, onText, onChoose }: ComboboxProps) {
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const isAwaited = useRef(false);
  // What is pressed must not move away before it is released, when results arrive or a run is added.
  const [pressed, setPressed] = useState<readonly ComboboxOption[]>();
  const shown = pressed ?? options;
  const current = Math.min(at, shown.length - 1);
  const chooseFirst = useRef(() => choose(options[0]));
  useEffect(() => {
    chooseFirst.current = () => choose(options[0]);
  });
  useEffect(() => {
    if (isSearching || !isAwaited.current) return;
    isAwaited.current = false;
    chooseFirst.current();
  }, [isSearching]);

  function restart(): void {
    setOpen(true);
    isAwaited.current = false;
    setAt(0);
  }

  function setShown(next: boolean): void {
    restart();
    setOpen(next);
    setPressed(undefined);
    if (!next) onText("");
  }

  function choose(option: ComboboxOption | undefined): void {
    if (option === undefined) return;
    onChoose(option.value);
    setShown(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (move !== 0) {
      event.preventDefault();
      if (!isOpen) return setShown(true);
      setAt(Math.max(0, Math.min(current + move, shown.length - 1)));
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      // What is listed may be of an earlier text.
      if (isSearching && at === 0) isAwaited.current = true;
      else choose(shown[current]);
    }
  }

  const press = (isDown: boolean) => setPressed(isDown ? shown : undefined);
  return { isOpen, shown, current, restart, setShown, choose, onKeyDown, press, open: () => setOpen(true) };
}

function List({
  id,
  press,
  children,
}: {
  readonly id: string;
  readonly press: (isDown: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <Popover.Portal>
      <Popover.Content
        asChild
        align="start"
        sideOffset={4}
        collisionPadding={8}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        // Leaving the field closes it.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <div
          role="listbox"
          id={id}
          aria-label="Found"
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            press(true);
          }}
          onPointerLeave={() => press(false)}
          onPointerCancel={() => press(false)}
          className="popup max-h-[min(20rem,var(--room))] w-(--radix-popover-trigger-width)"
        >
          {children}
        </div>
      </Popover.Content>
    </Popover.Portal>
  );
}

/** In the place of the options, when there is none. */
function NoOption({ children }: { readonly children: string }) {
  return (
    <div role="option" aria-disabled="true" aria-selected="false" className="px-2 py-3 text-center text-ink-3">
      {children}
    </div>
  );
}

function Options({
  id,
  options,
  value,
  current,
  onChoose,
}: {
  readonly id: string;
  readonly options: readonly ComboboxOption[];
  readonly value: string;
  readonly current: number;
  readonly onChoose: (option: ComboboxOption) => void;
}) {
  return options.map((option, index) => (
    <div key={option.value} role="presentation">
      {option.group !== undefined && option.group !== options[index - 1]?.group && (
        <div aria-hidden="true" className="px-2 pt-2 pb-1 text-caption font-medium text-ink-3">
          {option.group}
        </div>
      )}
      <button
        type="button"
        role="option"
        id={`${id}-${index}`}
        tabIndex={-1}
        aria-selected={option.value === value}
        ref={index === current ? scrollIntoView : undefined}
        onClick={() => onChoose(option)}
        className={`option h-control w-full hover:bg-raised ${index === current ? "bg-raised" : ""}`}
      >
        <bdi className="flex-1 truncate">{option.label}</bdi>
        {option.value === value && <CheckIcon className="text-accent" />}
      </button>
    </div>
  ));
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
