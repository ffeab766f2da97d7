import { beforeAll, expect } from "vitest";
import { fieldsOf } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { formText } from "../../support/files.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;
let checked: Described["checked"];

beforeAll(async () => {
  service = await useSharedService();
  ({ checked } = await readDescription(service));
});

const idOf = (answer: Answer): string => String(fieldsOf(answer)["id"]);

verifies(
  "envelope.openapi.describes-answers",
  "knowledge is as the document says",
  async () => {
    const root = "/console/api/knowledge";
    const headers = { "x-api-key": service.keys.api, "content-type": "multipart/form-data; boundary=x" };
    const base = idOf(await checked("POST", `${root}/bases`, { body: { name: "K" } }));
    const text = { knowledge_base_id: base, name: "D", text: "Text" };
    const made = await checked("POST", `${root}/documents`, { body: text });
    const at = `${root}/documents/${idOf(made)}`;
    const field = `Content-Disposition: form-data; name="knowledge_base_id"\r\n\r\n${base}`;
    const form = `--x\r\n${field}\r\n${formText("a.txt", "A")}`;
    const statuses = [
      made,
      await checked("POST", `${root}/uploads`, { body: form, headers }),
      await checked("POST", `${root}/uploads`, { body: formText("a.txt", "A"), headers }),
      await checked("GET", `${root}/documents`),
      await checked("GET", `${root}/documents/{id}`, { at }),
      await checked("PATCH", `${root}/documents/{id}`, { at, body: { tags: ["a"] } }),
      await checked("POST", `${root}/documents/{id}/reprocess`, { at: `${at}/reprocess` }),
      await checked("GET", `${root}/search`, { at: `${root}/search?q=text` }),
      await checked("GET", `${root}/search`, { at: `${root}/search?q=text&limit=21` }),
      await checked("DELETE", `${root}/documents/{id}`, { at }),
      await checked("DELETE", `${root}/documents/{id}`, { at }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 400, 200, 200, 200, 200, 200, 400, 204, 404]);
  },
  { tags: "slow" },
);
