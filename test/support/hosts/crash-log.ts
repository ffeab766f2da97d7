import { sql } from "../workspace.ts";

const LOG = `
  create table test_crashes (subject_id uuid);
  create function test_note_crash() returns trigger language plpgsql security definer as $$
  begin
    insert into public.test_crashes values (new.subject_id);
    return null;
  end $$;
  create trigger test_note_crash after update of crash_count on jobs for each row
    when (new.crash_count > old.crash_count) execute function test_note_crash()`;

/** Records from now on each crash that is counted for a job. */
export async function logCrashes(databaseUrl: string): Promise<void> {
  await sql(databaseUrl, LOG);
}

/** The subjects of the jobs for which a death was counted; several times for several deaths. */
export async function crashesOf(databaseUrl: string): Promise<readonly string[]> {
  const rows = await sql<{ subject_id: string }>(databaseUrl, "select subject_id from test_crashes");
  return rows.map(({ subject_id }) => subject_id);
}
