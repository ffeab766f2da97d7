import { useApiCalls } from "../lib/api-calls.ts";
import { PasskeyList } from "../features/settings/passkey-list.tsx";
import { PasswordForm } from "../features/settings/password-form.tsx";
import { ProfileForm } from "../features/settings/profile-form.tsx";
import { PushDevices } from "../features/settings/push-devices.tsx";
import { useProfile } from "../features/settings/queries.ts";
import { QuestionMails } from "../features/settings/question-mails.tsx";
import { SessionList } from "../features/settings/session-list.tsx";
import { QueryPart } from "../ui/query-part.tsx";

/** What belongs to the person alone: name, address, password, and where they are signed in. */
export function ProfileSettings() {
  useApiCalls([]);
  return (
    <QueryPart query={useProfile()}>
      {(person) => (
        <div className="flex max-w-[35rem] flex-col gap-8 p-6 max-sm:p-4">
          <ProfileForm person={person} />
          {person.has_password && (
            <>
              <PasswordForm />
              <PasskeyList />
            </>
          )}
          <PushDevices />
          <QuestionMails chosen={person.question_mails} />
          <SessionList />
        </div>
      )}
    </QueryPart>
  );
}
