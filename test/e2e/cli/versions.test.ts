import { expect, test } from "vitest";
import { apiOf } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { createAgent, readAgent } from "../../support/work.ts";

test("an agent's versions are listed, compared and restored on the command line", async () => {
  const service = await useSharedService();
  const muster = (...args: string[]) => runMuster(args, { env: environmentOf(service) });
  const api = apiOf(service, service.keys.api);
  const { id } = await createAgent(api, { name: "Clerk", system_prompt: "Be brief.\nBe kind." });
  await api.patch(`/api-agents?id=${id}`, { system_prompt: "Be brief.\nBe bold.", temperature: 0 });
  const listed = await muster("agents", "versions", "Clerk");
  const second = new RegExp(
    `VERSION .*\\n2 .*system_prompt, temperature +${service.ownerId}@localhost\\.localdomain\\n1 `,
  );
  expect(listed.stdout).toMatch(second);
  const diff = await muster("agents", "diff", "Clerk", "2");
  expect(diff.stdout).toBe("system_prompt\n    Be brief.\n  - Be kind.\n  + Be bold.\ntemperature\n  - 0.7\n  + 0\n");
  expect((await muster("agents", "diff", "Clerk", "2", "--against", "2")).stderr).toContain("are identical");
  expect((await muster("agents", "restore", "Clerk", "1")).stdout).toContain("restored to version 1");
  expect(await readAgent(api, id)).toMatchObject({ version: 3, system_prompt: "Be brief.\nBe kind." });
  expect(await muster("agents", "restore", "Clerk", "9")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Version not found"),
  });
});
