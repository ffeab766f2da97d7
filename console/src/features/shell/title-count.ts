import { useEffect } from "react";

/** Shows the number of open questions before the tab's title, whatever page sets it. */
export function useTitleCount(count: string | undefined): void {
  useEffect(() => {
    const title = document.querySelector("title");
    if (title === null) return;
    const apply = () => {
      const bare = document.title.replace(/^\(\d+\+?\) /, "");
      const wanted = count !== undefined ? `(${count}) ${bare}` : bare;
      if (document.title !== wanted) document.title = wanted;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(title, { childList: true });
    return () => observer.disconnect();
  }, [count]);
}
