import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { signedIn } from "../../api/session.ts";
import type { Access } from "../../api/session.ts";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";

/** A form that makes an account and signs in. What is typed survives a reload, but for the password. */
export function AccountForm({
  draft,
  action,
  enter,
  children,
}: {
  /** The name of its draft. */
  readonly draft: string;
  /** The label of the button. */
  readonly action: string;
  /** Makes the account. */
  readonly enter: (values: FormData) => Promise<Access>;
  readonly children: ReactNode;
}) {
  const navigate = useNavigate();
  async function goOn(access: Access): Promise<void> {
    // After the draft has ended: it belongs to nobody yet.
    signedIn(access);
    await navigate({ to: "/", replace: true });
  }
  return (
    <RecordForm
      draft={`account.${draft}`}
      save={enter}
      onSaved={goOn}
      actions={
        <SubmitButton size="large" className="mt-1">
          {action}
        </SubmitButton>
      }
    >
      {children}
    </RecordForm>
  );
}
