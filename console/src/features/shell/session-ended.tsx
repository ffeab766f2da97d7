import { useAccess } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SignInForm } from "../accounts/sign-in-form.tsx";

/** Asks to sign in again over the page, which keeps what was typed. */
export default function SessionEnded() {
  const { user, workspace_id: workspaceId } = useAccess();
  return (
    <Dialog
      title="Your session has ended"
      description="Sign in to go on. What you have typed stays."
      isOpen
      width="small"
    >
      <SignInForm
        email={user.email}
        workspaceId={workspaceId}
        onSignedIn={(access) => access.needs_passkey && location.reload()}
      />
    </Dialog>
  );
}
