import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";

/** The element that has the focus, or had it before a menu or what passes it on: those are gone when a dialog closes. */
let focused: Element | null = null;

document.addEventListener("focusin", ({ target }) => {
  if (target instanceof Element && target.closest("[role=menu], [data-passing]") === null) focused = target;
});

/**
 * For a dialog: gives the focus back when it has closed, to the element that had it, or to the content of the page where
 * that is gone. Radix returns it to a trigger, which dialogs with a URL or from a menu do not have.
 */
export function useReturnedFocus(isOpen: boolean): (event: Event) => void {
  const [origin, setOrigin] = useState<Element | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  // While it opens, before one of its fields takes the focus.
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setOrigin(focused);
  }
  return (event) => {
    event.preventDefault();
    // Something else has taken it meanwhile, such as a dialog that follows.
    if (document.activeElement !== document.body) return;
    focus(origin);
    if (document.activeElement === document.body) focus(document.getElementById("content"));
  };
}

/** For an element that its own work removes: when the focus is in it then, the content of the page gets it. */
export function useFocusKept(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = element.current;
    return () => {
      if (own?.contains(document.activeElement) === true) focus(document.getElementById("content"));
    };
  }, [element]);
}

/**
 * For a part of a page that takes the place of another in a narrow window: when that hides what has the focus, the
 * content of the page gets it.
 */
export function useFocusShown(isShown: boolean): void {
  const before = useRef(isShown);
  // Before the browser takes the focus from what is hidden.
  useLayoutEffect(() => {
    if (before.current === isShown) return;
    before.current = isShown;
    if (document.activeElement?.checkVisibility() === false) focus(document.getElementById("content"));
  }, [isShown]);
}

/** For a form with several pages: where the button of the last page had the focus, the form gets it with the next. */
export function useFocusPassedOn(form: RefObject<HTMLElement | null>, page: string): void {
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    if (document.activeElement === document.body) focus(form.current);
  }, [form, page]);
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus();
}
