import { useEffect, useState, useSyncExternalStore } from "react";

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
