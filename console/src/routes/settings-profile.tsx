import { useApiCalls } from "../lib/api-calls.ts";
import { PasswordForm } from "../features/settings/password-form.tsx";
import { ProfileForm } from "../features/settings/profile-form.tsx";
import { PushDevices } from "../features/settings/push-devices.tsx";
import { useProfile } from "../features/settings/queries.ts";
import { SessionList } from "../features/settings/session-list.tsx";
import { ErrorState, LoadingRows } from "../ui/states.tsx";

/** What belongs to the person alone: name, address, password, and where they are signed in. */
export function ProfileSettings() {
  const { data, error, refetch } = useProfile();
  useApiCalls([]);
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingRows rows={4} />;
  return (
    <div className="flex max-w-[35rem] flex-col gap-8 p-6 max-sm:p-4">
      <ProfileForm person={data} />
      <PasswordForm />
      <PushDevices />
      <SessionList />
    </div>
  );
}
