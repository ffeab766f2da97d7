import { useRef, useState } from "react";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { Button } from "../../ui/button.tsx";
import { CheckIcon } from "../../ui/icon.tsx";
import { CloseIcon } from "../../ui/icons.ts";
import { AnswerActions } from "./actions.tsx";
import type { AnswerControls } from "./answer-form.tsx";
import { DataEditor } from "./data-editor.tsx";

/** Yes or no. `y` and `n` choose, Enter sends. */
export function ApprovalControls({ controls }: { readonly controls: AnswerControls }) {
  const { approve, reject } = useYesNoKeys();
  const { send, isBusy, blockedBy } = controls;
  return (
    <AnswerActions>
      <Button
        ref={approve}
        look="primary"
        icon={CheckIcon}
        isBusy={isBusy}
        blockedBy={blockedBy}
        onClick={() => send({ approved: true })}
      >
        Approve
      </Button>
      <Button
        ref={reject}
        icon={CloseIcon}
        disabled={isBusy}
        blockedBy={blockedBy}
        onClick={() => send({ approved: false })}
      >
        Reject
      </Button>
    </AnswerActions>
  );
}

/** Values to confirm, perhaps corrected. */
export function ConfirmControls({
  data,
  controls,
}: {
  readonly data: Readonly<Record<string, unknown>>;
  readonly controls: AnswerControls;
}) {
  const [values, setValues] = useState<Record<string, unknown>>({ ...data, ...controls.draft.data });
  const { approve, reject } = useYesNoKeys();
  const { send, isBusy, blockedBy } = controls;
  const isChanged = Object.keys(changesOf(data, values)).length > 0;
  function change(key: string, value: unknown): void {
    const next = { ...values, [key]: value };
    setValues(next);
    // A number that is emptied has no value that could be stored.
    const changes = Object.entries(changesOf(data, next)).filter(([, changed]) => !Number.isNaN(changed));
    controls.keep(changes.length === 0 ? undefined : { data: Object.fromEntries(changes) });
  }
  return (
    <>
      <DataEditor original={data} values={values} onChange={change} draftName={controls.draftName} />
      <AnswerActions>
        <Button
          ref={approve}
          look="primary"
          icon={CheckIcon}
          isBusy={isBusy}
          blockedBy={blockedBy}
          onClick={() => send({ approved: true, data: values })}
        >
          {isChanged ? "Confirm with changes" : "Confirm"}
        </Button>
        <Button
          ref={reject}
          icon={CloseIcon}
          disabled={isBusy}
          blockedBy={blockedBy}
          onClick={() => send({ approved: false, data: values })}
        >
          Reject
        </Button>
      </AnswerActions>
    </>
  );
}

/** The values that differ. */
function changesOf(
  data: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => !Object.is(value, data[key])));
}

function useYesNoKeys() {
  const approve = useRef<HTMLButtonElement>(null);
  const reject = useRef<HTMLButtonElement>(null);
  useShortcuts({ y: () => approve.current?.focus(), n: () => reject.current?.focus() });
  return { approve, reject };
}
