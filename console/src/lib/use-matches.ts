import { useEffect, useState } from "react";

/** The screen is wide enough for a list beside what is selected in it. */
export const WIDE = "(width >= 75rem)";

/** Whether a media query matches, drawn again when that changes. */
export function useMatches(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const onChange = () => setMatches(media.matches);
    onChange();
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, [query]);
  return matches;
}
