import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { createFileLinks } from "#operations/files/file-links.ts";
import { refusal, send } from "../../support/api.ts";
import { PIXEL, askFiles, uploadTo } from "../../support/files.ts";
import type { TestFile } from "../../support/files.ts";
import { pdfDocument } from "../../support/documents.ts";
import { ENCRYPTION_KEY } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const DAY_MS = 86_400_000;
const FRAMED = { "sec-fetch-dest": "iframe" } as const;
const HOSTILE = `<!doctype html><script>fetch("/auth/refresh",{method:"POST"})</script><b style="color:red">Hello</b>`;
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>`;

const previewed = z.looseObject({ preview_url: z.url().nullable() });
const links = createFileLinks(createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64")));

let service: SharedService;
beforeAll(async () => {
  service = await useSharedService();
});

async function previewOf(file: TestFile): Promise<string | null> {
  return previewed.parse(await uploadTo(service, file)).preview_url;
}

async function shown(file: TestFile, headers: Readonly<Record<string, string>> = {}) {
  const url = await previewOf(file);
  if (url === null) throw new Error(`${file.name} has no preview.`);
  return send("GET", url, { headers });
}

verifies("team-screens.preview.headers", "a preview is inline, sandboxed and typed by the service", async () => {
  const image = await shown({ name: "pixel.png", type: "image/png", content: PIXEL });
  expect(image.status).toBe(200);
  expect(Object.fromEntries(image.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": "inline",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-store",
    "content-security-policy":
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  });
  const table = await shown({ name: "a.csv", type: "text/csv", content: "name,price\nlamp,84\n" });
  expect(table.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(table.text).toBe("name,price\nlamp,84\n");
  const json = await shown({ name: "a.json", type: "application/json", content: "{}" });
  expect(json.headers.get("content-type")).toBe("text/plain; charset=utf-8");
});

verifies("team-screens.preview.html", "hostile HTML and SVG get no rights of the service's origin", async () => {
  const page: TestFile = { name: "evil.html", type: "text/html", content: HOSTILE };
  const framed = await shown(page, FRAMED);
  expect(framed.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(framed.headers.get("content-security-policy")).toMatch(/^sandbox;/);
  for (const destination of ["document", "object", ""]) {
    const opened = await shown(page, { "sec-fetch-dest": destination });
    expect(opened.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(opened.headers.get("content-security-policy")).toMatch(/^sandbox;/);
  }
  const drawing = await shown({ name: "evil.xml", type: "application/xml", content: HOSTILE_SVG }, FRAMED);
  expect(drawing.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(drawing.text).toBe(HOSTILE_SVG);
});

verifies(
  "team-screens.preview.rejected",
  "a preview needs a signature in time, and a type that can be shown",
  async () => {
    const { id } = await uploadTo(service, { name: "note.txt", type: "text/plain", content: "Hello" });
    const at = (path: string) => send("GET", service.url + path);
    expect((await at(`/files/${id}/preview`)).status).toBe(403);
    const forged = links.pathsOf(id).preview.replace(/(?<=signature=)./, (first) => (first === "-" ? "_" : "-"));
    expect((await at(forged)).status).toBe(403);
    expect((await at(links.pathsOf(id, new Date(Date.now() - DAY_MS - 1_000)).preview)).status).toBe(410);
    expect((await at("/files/none/preview?expires=1&signature=x")).status).toBe(404);
    const pdf = await uploadTo(service, { name: "a.pdf", type: "application/pdf", content: pdfDocument(["Hello"]) });
    expect(previewed.parse(pdf).preview_url).toBeNull();
    const refused = await at(links.pathsOf(pdf.id).preview);
    expect(refused.status).toBe(415);
    expect(refusal(refused).message).toContain("Download the file instead");
    await askFiles(service, `/${id}`, "DELETE");
    expect((await at(links.pathsOf(id).preview)).status).toBe(404);
  },
);
