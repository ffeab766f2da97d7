import { useEffect, useRef } from "react";
import type { ReactNode } from "react";

/** Keeps the end of what grows in view; a person who scrolls up to read stays there until back at the end. */
export function Followed({
  turn,
  className,
  children,
}: {
  /** The number of the turn or attempt in progress; with another one, the end is followed again. Undefined: it is not. */
  readonly turn: number | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (turn === undefined || content.current === null || end.current === null) return undefined;
    return followEnd(content.current, end.current);
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

/** Scrolls to the end when the content grows, until a person scrolls up or unfolds something; returns what ends that. */
function followEnd(content: Element, end: Element): () => void {
  let isFollowing = true;
  /** Whether the next scroll event is of a scroll that was made here, not by a person. */
  let isOwn = false;
  let lastTop = 0;

  function onScroll({ target }: Event): void {
    const scroller = target instanceof Document ? target.scrollingElement : target;
    if (!(scroller instanceof Element) || !scroller.contains(end)) return;
    const { scrollTop, clientHeight, scrollHeight } = scroller;
    // A page that becomes shorter scrolls up to its end by itself.
    const isUp = scrollTop < lastTop && scrollTop + clientHeight < scrollHeight - 1;
    if (isUp) isFollowing &&= isOwn;
    else if (end.getBoundingClientRect().top <= innerHeight) isFollowing = true;
    isOwn = false;
    lastTop = scrollTop;
  }
  function onClick(): void {
    isFollowing = false;
  }
  // Text is laid out after it has arrived, and images load later still: only the size says when to scroll.
  const observer = new ResizeObserver(() => {
    if (!isFollowing) return;
    const before = end.getBoundingClientRect().top;
    end.scrollIntoView({ block: "nearest" });
    isOwn = end.getBoundingClientRect().top !== before;
  });
  observer.observe(content);
  content.addEventListener("click", onClick);
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  return () => {
    observer.disconnect();
    content.removeEventListener("click", onClick);
    document.removeEventListener("scroll", onScroll, { capture: true });
  };
}
