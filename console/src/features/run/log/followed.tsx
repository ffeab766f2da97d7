import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { scrollerOf } from "../../../lib/scroller-of.ts";

/**
 * Keeps the end of what grows in view; a person who scrolls up to read stays there until back at the end. The key `End`
 * leads to the end also where entries are measured, and grow, only when they come into view.
 */
export function Followed({
  turn,
  className,
  children,
}: {
  /** The number of the turn or attempt in progress; with another one, the end is followed again. Undefined: after `End` only. */
  readonly turn: number | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (content.current === null || end.current === null) return undefined;
    return followEnd({ content: content.current, end: end.current, isInProgress: turn !== undefined });
  }, [turn]);
  return (
    <>
      <div ref={content} className={className}>
        {children}
      </div>
      <div ref={end} className="scroll-mb-40" />
    </>
  );
}

interface Following {
  readonly content: HTMLElement;
  readonly end: HTMLElement;
  readonly isInProgress: boolean;
}

/** Scrolls to the end when the content grows, until a person scrolls up or unfolds something; returns what ends that. */
function followEnd({ content, end, isInProgress }: Following): () => void {
  let isFollowing = isInProgress;
  /** How far each element is scrolled, by the last scroll made here or by the person. */
  const tops = new Map<Element, number>();

  function onScroll({ target }: Event): void {
    const scroller = target instanceof Document ? target.scrollingElement : target;
    if (!(scroller instanceof Element) || !scroller.contains(end)) return;
    const { scrollTop, clientHeight, scrollHeight } = scroller;
    // A page that becomes shorter scrolls up to its end by itself.
    const isUp = scrollTop < (tops.get(scroller) ?? 0) && scrollTop + clientHeight < scrollHeight - 1;
    if (isUp) isFollowing = false;
    else if (isInProgress && end.getBoundingClientRect().top <= innerHeight) isFollowing = true;
    tops.set(scroller, scrollTop);
  }
  function onKey({ key, target }: KeyboardEvent): void {
    if (key === "End" && scrolls(target, scrollerOf(end))) isFollowing = true;
  }
  function onClick(): void {
    isFollowing = false;
  }
  // Text is laid out after it has arrived, and images load later still: only the size says when to scroll.
  const observer = new ResizeObserver(() => {
    if (!isFollowing) return;
    end.scrollIntoView({ block: "nearest" });
    for (const each of tops.keys()) tops.set(each, each.scrollTop);
  });
  observer.observe(content);
  content.addEventListener("click", onClick);
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  document.addEventListener("keydown", onKey, { capture: true });
  return () => {
    observer.disconnect();
    content.removeEventListener("click", onClick);
    document.removeEventListener("scroll", onScroll, { capture: true });
    document.removeEventListener("keydown", onKey, { capture: true });
  };
}

/** Whether a key that nothing else takes scrolls this element. */
function scrolls(target: EventTarget | null, scroller: HTMLElement | null): boolean {
  if (!(target instanceof Element) || target.closest("input, textarea, select") !== null) return false;
  return target === document.body || scroller?.contains(target) === true;
}
