import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useOpenQuestions } from "../questions/queries.ts";
import { useNotifies } from "../live/notifier.ts";

/** Notifies the person of each new question while the tab is hidden; a click leads to it. */
export function useQuestionNotifications(slug: string): void {
  const notifies = useNotifies();
  const { data: questions } = useOpenQuestions();
  const known = useRef<ReadonlySet<string>>(undefined);
  const navigate = useNavigate();
  useEffect(() => {
    if (questions === undefined) return;
    const before = known.current;
    known.current = new Set(questions.map(({ id }) => id));
    if (before === undefined || !notifies || !document.hidden) return;
    for (const { id, request, subject } of questions.filter((each) => !before.has(each.id))) {
      const notification = notify(request.title, subject.title, id);
      notification?.addEventListener("click", () => {
        window.focus();
        notification.close();
        void navigate({ to: "/w/$workspace/questions", params: { workspace: slug }, search: { id } });
      });
    }
  }, [questions, notifies, navigate, slug]);
}

/** Tabs that notify with the same tag replace each other's. Undefined where only service workers may, as on Android. */
function notify(title: string, body: string, tag: string): Notification | undefined {
  try {
    return new Notification(title, { body, tag });
  } catch {
    return undefined;
  }
}
