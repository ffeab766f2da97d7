import { useState } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { PlusIcon } from "../../ui/icons.ts";
import { Sheet } from "../../ui/sheet.tsx";
import { KeyDialog } from "../settings/key-dialog.tsx";
import { useCurrentCalls } from "../../lib/api-calls.ts";
import { LANGUAGES, snippet } from "./snippets.ts";
import type { Language } from "./snippets.ts";

/** What this screen does, for programs. */
export default function ApiDrawer({ onClose }: { readonly onClose: () => void }) {
  const calls = useCurrentCalls();
  const [isMaking, setMaking] = useState(false);
  const blockedBy = useBlockedBy("admin");
  const [language, setLanguage] = useState<Language>("curl");
  return (
    <Sheet
      title="This screen by the API"
      description="The exact requests, with your key in MUSTER_API_KEY."
      onClose={onClose}
    >
      <div role="group" aria-label="Language" className="flex gap-1">
        {LANGUAGES.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === language}
            onClick={() => setLanguage(each)}
            className="place h-7 px-2.5 touch:h-11"
          >
            {each}
          </button>
        ))}
      </div>
      <Button size="small" icon={PlusIcon} className="mt-4" blockedBy={blockedBy} onClick={() => setMaking(true)}>
        Create a key
      </Button>
      {isMaking && <KeyDialog onClose={() => setMaking(false)} />}
      {calls.length === 0 && <p className="mt-6 text-ink-2">This screen makes no requests.</p>}
      {calls.map((call) => {
        const text = snippet(call, language, location.origin);
        return (
          <section key={call.title} className="mt-6">
            <div className="flex items-center justify-between">
              <h3 className="text-h3 font-semibold">{call.title}</h3>
              {text !== undefined && <CopyButton text={text} label={`Copy: ${call.title}`} />}
            </div>
            {text === undefined ? (
              <p className="mt-2 text-ink-2">There is no command for this.</p>
            ) : (
              <pre tabIndex={0} className="mt-2 overflow-x-auto box bg-surface p-3 font-mono text-mono">
                {text}
              </pre>
            )}
          </section>
        );
      })}
    </Sheet>
  );
}
