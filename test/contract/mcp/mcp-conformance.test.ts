import { beforeAll, expect } from "vitest";
import { runMcpConformance } from "../../support/mcp/conformance.ts";
import { publishSuiteTools } from "../../support/mcp/suite-tools.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
  await publishSuiteTools(service);
});

for (const row of [
  { revision: "2025-11-25", verifies: "mcp.server.conformance.2025-11-25" },
  { revision: "2026-07-28", verifies: "mcp.server.conformance.2026-07-28" },
] as const) {
  verifies(
    row.verifies,
    `of the official scenarios for ${row.revision} only those fail that a server of agents as tools cannot have`,
    async () => {
      const { output, asExpected, stale } = await runMcpConformance(
        { url: service.url, key: service.keys.mcp },
        row.revision,
      );
      expect(asExpected, output.slice(-5_000)).toBe(true);
      expect(stale).toEqual([]);
    },
    { tags: "slow" },
  );
}
