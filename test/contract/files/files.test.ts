import { createSecretBox } from "#lib/security/secret-box.ts";
import { newId } from "#lib/ids.ts";
import { createFileLinks } from "#operations/files/file-links.ts";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import { PIXEL, askFiles, formText, formWith, postFile, uploadTo } from "../../support/files.ts";
import type { TestFile } from "../../support/files.ts";
import { ENCRYPTION_KEY } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey } from "../../support/workspace.ts";

const MIB = 1024 * 1024;
const NOTE: TestFile = { name: "note.txt", type: "text/plain", content: "Grüße" };
const DAY_MS = 86_400_000;
const links = createFileLinks(createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64")));

let service: SharedService;
beforeAll(async () => {
  service = await useSharedService();
});

verifies(["attachments.upload", "attachments.read"], "a file is uploaded, read, listed and fetched", async () => {
  const answer = await postFile(service, formWith(NOTE));
  expect(answer.status).toBe(201);
  const {
    url,
    preview_url: previewUrl,
    ...file
  } = z.looseObject({ url: z.string(), preview_url: z.string() }).parse(answer.body);
  expect(file).toEqual({
    id: expect.any(String),
    workspace_id: expect.any(String),
    name: "note.txt",
    type: "text/plain",
    size: 7,
    direction: "input",
    task_id: null,
    run_id: null,
    attempt: null,
    created_by: expect.any(String),
    created_at: expect.any(String),
    work_title: null,
  });
  expect(previewUrl).toBe(url.replace("?", "/preview?"));
  expect(url).toMatch(new RegExp(`^${service.url}/files/${String(file["id"])}\\?expires=\\d+&signature=[\\w-]{43}$`));
  expect(await (await fetch(url)).text()).toBe("Grüße");
  expect(fieldsOf(await askFiles(service, `/${String(file["id"])}`))).toMatchObject(file);
  const listed = listOf(await askFiles(service));
  expect(listed).toContainEqual(file);
  const next = await uploadTo(service, NOTE);
  const page = await askFiles(service, "?limit=1");
  expect(idsOf(page)).toEqual([next.id]);
  const [, rest] = /<(.*)>/.exec(page.headers.get("link") ?? "") ?? [];
  expect(idsOf(await askFiles(service, (rest ?? "").replace("/files", "")))).toEqual([file["id"]]);
});

verifies(
  "attachments.upload.limit",
  "10 MB are accepted, one byte more is not, for every way of sending",
  async () => {
    const most = await uploadTo(service, { ...NOTE, content: Buffer.alloc(10 * MIB, "x") });
    expect(most.size).toBe(10 * MIB);
    // All of a body is received, however long: a client that sends it first has the reason as well.
    for (const size of [10 * MIB + 1, 11 * MIB, 40 * MIB]) {
      const refused = refusal(await postFile(service, formWith({ ...NOTE, content: Buffer.alloc(size, "x") })));
      expect(refused).toMatchObject({ status: 413, code: "payload_too_large" });
      expect(refused.message).toContain("10 MiB");
    }
  },
  { tags: "slow" },
);

const TAKEN: readonly (readonly [name: string, declared: string, content: string | Uint8Array, type: string])[] = [
  ["a.md", "text/markdown", "# A", "text/markdown"],
  ["a.csv", "application/octet-stream", "a,b", "text/csv"],
  ["a.json", "application/json", "[1]", "application/json"],
  ["a.yml", "", "a: 1", "application/yaml"],
  ["a.html", "text/html; charset=utf-8", "<p>A", "text/html"],
  ["a.xml", "text/xml", '<?xml version="1.0"?><a/>', "application/xml"],
  ["a.py", "text/x-python", "print(1)", "text/plain"],
  ["a.unknown", "", "text of some kind", "text/plain"],
  ["a.png", "image/png", PIXEL, "image/png"],
  ["a", "", PIXEL, "image/png"],
  ["a.pdf", "application/pdf", "%PDF-1.4\n%%EOF", "application/pdf"],
  ["a.gif", "image/gif", "GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;", "image/gif"],
];

const REFUSED: readonly (readonly [name: string, declared: string, content: string | Uint8Array])[] = [
  ["a.exe", "text/plain", "just text"],
  ["a.txt", "", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)])],
  ["a.txt", "", Buffer.concat([Buffer.from([0x7f]), Buffer.from("ELF"), Buffer.alloc(200)])],
  ["a.zip", "application/zip", Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(60)])],
  ["a.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
  ["a.js", "application/javascript", "alert(1)"],
  ["a.js", "text/javascript", "alert(1)"],
  ["a.bin", "", Buffer.from([0, 1, 2, 3, 250, 251])],
];

verifies("attachments.upload.types", "only files that can be read or shown are accepted", async () => {
  for (const [name, declared, content, type] of TAKEN) {
    expect(await uploadTo(service, { name, type: declared, content })).toMatchObject({ name, type });
  }
  for (const [name, type, content] of REFUSED) {
    const refused = refusal(await postFile(service, formWith({ name, type, content })));
    expect(refused).toMatchObject({ status: 415, code: "unsupported_media_type" });
    expect(refused.message).toContain("Allowed: text/plain");
  }
});

verifies("attachments.upload.mismatch", "a type that does not match the content is rejected", async () => {
  const wrong: readonly (readonly [string, string | Uint8Array])[] = [
    ["image/png", "text"],
    ["application/pdf", PIXEL],
    ["text/plain", PIXEL],
    ["application/json", "{not json"],
    ["text/plain", Buffer.from("Grüße", "latin1")],
  ];
  for (const [type, content] of wrong) {
    const refused = refusal(await postFile(service, formWith({ name: "a", type, content })));
    expect(refused).toMatchObject({ status: 400, code: "bad_request" });
    expect(refused.message).toContain(type);
  }
});

verifies("attachments.upload.form", "a body that is no form with one file says what is wrong", async () => {
  const key = { "x-api-key": service.keys.api };
  const json = await postFile(service, "{}", { ...key, "content-type": "application/json" });
  expect(refusal(json)).toMatchObject({ status: 400, message: expect.stringContaining("multipart/form-data") });
  const broken = await postFile(service, "--x\r\nnonsense", {
    ...key,
    "content-type": "multipart/form-data; boundary=x",
  });
  expect(refusal(broken).status).toBe(400);
  expect(refusal(await postFile(service, formWith({ ...NOTE, content: "" }))).message).toBe("The file is empty.");
  const more = formWith(NOTE);
  more.append("file", new File(["b"], "b.txt", { type: "text/plain" }));
  more.append("purpose", "none");
  expect(refusal(await postFile(service, more))).toMatchObject({ status: 400, paths: ["purpose", "file"] });
  expect(refusal(await postFile(service, new FormData())).paths).toEqual(["file"]);
  const text = new FormData();
  text.append("file", "only text");
  expect(refusal(await postFile(service, text)).paths).toEqual(["file"]);
});

verifies("attachments.upload.name", "a file's name cannot lead outside its folder", async () => {
  for (const [given, kept] of [
    ["../../etc/passwd", "passwd"],
    ["C:\\boot\\notes.md", "notes.md"],
    ["a\u0000b\r\n:c.txt", "abc.txt"],
    ["..", "file"],
    [".env", "env"],
    ["Bericht für März.md", "Bericht für März.md"],
    [`${"x".repeat(300)}.txt`, `${"x".repeat(196)}.txt`],
    [`a.${"x".repeat(300)}`, `a.${"x".repeat(198)}`],
    ["x".repeat(300), "x".repeat(200)],
  ] as const) {
    // The client's own form encoding would already change some of these.
    const form = formText(escaped(given), "A");
    const headers = { "x-api-key": service.keys.api, "content-type": "multipart/form-data; boundary=x" };
    expect(fieldsOf(await postFile(service, form, headers))["name"]).toBe(kept);
  }
});

verifies("attachments.upload.idempotent", "a repeated form creates no second file", async () => {
  const headers = { "x-api-key": service.keys.api, "idempotency-key": newId() };
  const first = await postFile(service, formWith(NOTE), headers);
  const again = await postFile(service, formWith(NOTE), headers);
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(refusal(await postFile(service, formWith({ ...NOTE, content: "other" }), headers)).status).toBe(409);
  expect(refusal(await postFile(service, formWith({ ...NOTE, name: "other.txt" }), headers)).status).toBe(409);
});

verifies(
  "attachments.upload.who",
  "an upload needs the right to write",
  async () => {
    const long = formWith({ ...NOTE, content: Buffer.alloc(40 * MIB, "x") });
    for (const form of [formWith(NOTE), long]) expect(refusal(await postFile(service, form, {})).status).toBe(401);
    expect(refusal(await postFile(service, formWith(NOTE), { "x-api-key": service.keys.mcp })).status).toBe(401);
    const reader = await addKey(service.databaseUrl, {
      workspaceId: service.workspaceId,
      ownerId: service.ownerId,
      kind: "envelope",
      scopes: ["read"],
    });
    expect(refusal(await postFile(service, formWith(NOTE), { "x-api-key": reader })).status).toBe(403);
  },
  { tags: "slow" },
);

verifies(
  ["attachments.url.signed", "attachments.url.expired"],
  "a URL is valid for 24 hours, and for this file only",
  async () => {
    const { id, url } = await uploadTo(service, NOTE);
    const { searchParams } = new URL(url);
    const [expires, signature] = [searchParams.get("expires") ?? "", searchParams.get("signature") ?? ""];
    expect(Math.abs(Number(expires) * 1_000 - Date.now() - DAY_MS)).toBeLessThan(60_000);
    const asked = async (path: string) => (await fetch(`${service.url}${path}`)).status;
    const now = Date.now();
    expect(await asked(links.pathOf(id, new Date(now - DAY_MS + 60_000)))).toBe(200);
    expect(await asked(links.pathOf(id, new Date(now - DAY_MS - 1_000)))).toBe(410);
    const { id: another } = await uploadTo(service, NOTE);
    const forged = [
      `/files/${another}?expires=${expires}&signature=${signature}`,
      `/files/${id}?expires=${Number(expires) + 1}&signature=${signature}`,
      `/files/${id}?expires=1e99&signature=${signature}`,
      `/files/${id}?expires=${expires}&signature=${signature.slice(0, -1)}`,
      `/files/${id}?expires=${expires}&signature=`,
      `/files/${id}?expires=${expires}`,
      `/files/${id}?signature=${signature}`,
    ];
    for (const path of forged) expect([path, await asked(path)]).toEqual([path, 403]);
    expect(await asked(`/files/${id}`)).toBe(401);
    expect(await asked(links.pathOf(newId()))).toBe(404);
    expect(await asked(`/files/nothing?expires=${expires}&signature=${signature}`)).toBe(404);
  },
);

verifies("attachments.url.headers", "a browser only saves a file", async () => {
  const { url } = await uploadTo(service, {
    name: 'Bericht "März".html',
    type: "text/html",
    content: "<script>1</script>",
  });
  const { headers } = await fetch(url);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-length": "18",
    "content-disposition": "attachment; filename=\"Bericht M_rz.html\"; filename*=UTF-8''Bericht%20M%C3%A4rz.html",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

function escaped(name: string): string {
  return name.replaceAll("\r\n", "%0D%0A");
}
