import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import { visibleText } from "../../lib/visible-text.ts";
import { StandalonePage } from "../questions/standalone-page.tsx";
import { useIsSlow } from "../../ui/states.tsx";
import { Chat } from "./chat.tsx";
import { CodeForm } from "./code-form.tsx";
import { createVisit } from "./visit-store.ts";

/** The page of an agent, as its visitors use it; no account is needed. */
export function Visit({ slug }: { readonly slug: string }) {
  const visit = useMemo(() => createVisit(slug), [slug]);
  const state = useSyncExternalStore(visit.subscribe, visit.state);
  const { phase, title, problem } = state;
  useEffect(() => {
    void visit.open();
    const close = () => visit.close();
    // The browser may keep the page, and show it again by its button for the page before.
    const reopen = ({ persisted }: PageTransitionEvent) => persisted && void visit.open();
    addEventListener("pagehide", close);
    addEventListener("pageshow", reopen);
    return () => {
      removeEventListener("pagehide", close);
      removeEventListener("pageshow", reopen);
      close();
    };
  }, [visit]);
  useLargerText();
  useEffect(() => {
    if (title !== "") document.title = visibleText(title);
  }, [title]);
  switch (phase) {
    case "opening":
      return <Opening />;
    case "code":
      return <CodeForm title={title} onCode={visit.open} />;
    case "failed":
      return (
        <StandalonePage workspace={title === "" ? "Muster" : title}>
          <h1 className="text-h1 font-semibold tracking-tight">This page can't be used now</h1>
          <p role="alert" className="mt-2 text-ink-2">
            {problem?.message}
          </p>
        </StandalonePage>
      );
    case "ready":
      return <Chat visit={visit} state={state} />;
  }
}

function Opening() {
  return <StandalonePage workspace="">{useIsSlow() && <p role="status">Loading</p>}</StandalonePage>;
}

/** What people read here are answers, not the tables of the console. */
function useLargerText(): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (!matchMedia("(pointer: coarse)").matches) style.fontSize = "112.5%";
    return () => void (style.fontSize = "");
  }, []);
}
