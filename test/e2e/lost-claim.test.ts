import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../support/api.ts";
import { startTask, taskEnd } from "../support/runs.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent } from "../support/work.ts";
import { sql } from "../support/workspace.ts";

const SECOND = 1_000;

/** The run is the process's from the first moment on, and nobody has told it. */
const LOSE_CLAIM = `
  create function lose_claim() returns trigger language plpgsql security definer as $$
  begin
    new.state := 'running';
    new.executor_id := (select id from public.executors order by started_at desc limit 1);
    return new;
  end $$;
  create trigger lose_claim before insert on jobs for each row execute function lose_claim()`;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

verifies(
  "engine.queue.lost-claim",
  "a run that was claimed without its process learning of it is put back, and completes",
  async () => {
    const agent = await createAgent(apiOf(service, service.keys.api));
    await sql(service.databaseUrl, LOSE_CLAIM);
    const task = await startTask(service, agent.id, { description: QUICK });
    await sql(service.databaseUrl, "drop trigger lose_claim on jobs");
    expect(await taskEnd(service, task)).toMatchObject({ status: "completed", result: "done", attempt: 1 });
  },
  30 * SECOND,
);
