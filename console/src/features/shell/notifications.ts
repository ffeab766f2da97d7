import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useOpenQuestions } from "../questions/queries.ts";

const STORED = "muster-notifications";
const CHANGED = "muster-notifications-changed";
const LOCK = "muster-notifications";

/** Whether this browser can notify at all: it does so on https and on this machine only. */
export const CAN_NOTIFY = "Notification" in window && "locks" in navigator;

/** Whether the person wants to be notified of new questions in this browser, and the browser allows it. */
export function useNotifies(): boolean {
  return useSyncExternalStore(subscribe, isOn);
}

/** Turns notifications on or off; the first time the browser asks the person. Resolves to whether they are on. */
export async function setNotifies(wanted: boolean): Promise<boolean> {
  if (wanted && CAN_NOTIFY) await Notification.requestPermission();
  if (wanted) localStorage.setItem(STORED, "on");
  else localStorage.removeItem(STORED);
  dispatchEvent(new Event(CHANGED));
  return isOn();
}

/** Whether this tab, of all tabs of the browser, keeps its stream while it is hidden, in order to notify. */
export function useIsNotifier(): boolean {
  const notifies = useNotifies();
  const [isHolder, setHolder] = useState(false);
  useEffect(() => {
    if (!notifies) return;
    const end = Promise.withResolvers<void>();
    const stop = new AbortController();
    const hold = () => {
      setHolder(true);
      return end.promise;
    };
    // It is aborted when the effect ends before its turn has come.
    navigator.locks.request(LOCK, { signal: stop.signal }, hold).catch(() => undefined);
    return () => {
      stop.abort();
      end.resolve();
      setHolder(false);
    };
  }, [notifies]);
  return isHolder;
}

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

function isOn(): boolean {
  return CAN_NOTIFY && localStorage.getItem(STORED) === "on" && Notification.permission === "granted";
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  addEventListener("storage", listener);
  return () => {
    removeEventListener(CHANGED, listener);
    removeEventListener("storage", listener);
  };
}
