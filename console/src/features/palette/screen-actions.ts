/** An action in the head of the screen that is open. */
interface ScreenAction {
  readonly label: string;
  readonly press: () => void;
}

const ACTIONS = "main header :is(button, a)[class]:not([disabled], [aria-disabled=true], [aria-haspopup], [role=tab])";

/** The actions in the head of the screen that is open, such as Retry or Pause new work, as their buttons name them. */
export function readScreenActions(): readonly ScreenAction[] {
  return [...document.querySelectorAll<HTMLElement>(ACTIONS)].flatMap((element) => {
    const label = (element.getAttribute("aria-label") ?? element.textContent).trim();
    return label === "" ? [] : [{ label, press: () => element.click() }];
  });
}
