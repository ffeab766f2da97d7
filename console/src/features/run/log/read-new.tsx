import { useRef, useState } from "react";
import { buttonClass } from "../../../ui/button.tsx";

/**
 * Text that streams is not announced piece by piece. This button, which is seen while it has the focus, has a screen
 * reader read what came since the last time. It stays when the text is complete, so that the focus is not lost.
 */
export function ReadNew({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  const read = useRef(0);
  const [said, setSaid] = useState("");
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  function announce(): void {
    const next = text.slice(read.current).trim();
    setSaid(next === "" ? "Nothing new" : next);
    read.current = text.length;
  }
  return (
    <>
      <button
        type="button"
        className={`${buttonClass({ size: "small" })} self-start not-focus-visible:sr-only`}
        onClick={announce}
      >
        Read what is new
      </button>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}
