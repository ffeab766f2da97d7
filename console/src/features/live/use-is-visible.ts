import { useEffect, useState } from "react";

/** Whether the tab is visible, or was until a moment ago. @param hiddenMs how long it may be hidden */
export function useIsVisible(hiddenMs: number): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function onChange(): void {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setVisible(false), hiddenMs);
      else setVisible(true);
    }
    document.addEventListener("visibilitychange", onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, [hiddenMs]);
  return isVisible;
}
