import { beforeAll, expect } from "vitest";
import { BETA, openTableScene } from "../../support/table-scene.ts";
import type { TableScene } from "../../support/table-scene.ts";
import { verifies } from "../../support/verifies.ts";

let db: TableScene["db"];
let raw: TableScene["raw"];
let names: TableScene["names"];

beforeAll(async () => {
  ({ db, raw, names } = await openTableScene());
});

verifies("table-api.filter.comparison", "eq, neq, gt, gte, lt and lte compare", async () => {
  expect(await names("name=eq.Alpha")).toEqual(["Alpha"]);
  expect(await names("name=neq.Alpha&order=name")).toEqual([BETA, "gamma"]);
  expect(await names("max_tokens=gt.100")).toEqual(["gamma"]);
  expect(await names("max_tokens=gte.100&order=max_tokens")).toEqual(["Alpha", "gamma"]);
  expect(await names("max_tokens=lt.200")).toEqual(["Alpha"]);
  expect(await names("max_tokens=lte.200&order=max_tokens.desc")).toEqual(["gamma", "Alpha"]);
  expect(await names("max_tokens=eq(any).{100,7}")).toEqual(["Alpha"]);
  expect(await names("config->>tier=eq.tin")).toEqual([BETA]);
  expect(await names("config->limits->runs->0=gte.3")).toEqual(["Alpha"]);
  expect(await names("status=eq.failed")).toEqual([BETA]);
  expect(await names("max_tokens=isdistinct.100&order=name")).toEqual([BETA, "gamma"]);
});

verifies("table-api.filter.pattern", "like, ilike, match and full-text search find texts", async () => {
  expect(await names("name=like.A*")).toEqual(["Alpha"]);
  expect(await names("name=like.G*")).toEqual([]);
  expect(await names("name=ilike.G%25")).toEqual(["gamma"]);
  expect(await names("name=like(any).{A*,g*}&order=name")).toEqual(["Alpha", "gamma"]);
  expect(await names("name=ilike(all).{*A*,*m*}")).toEqual(["gamma"]);
  expect(await names("name=match.^g.m")).toEqual(["gamma"]);
  expect(await names("name=imatch.^G.M")).toEqual(["gamma"]);
  expect(await names("description=fts(english).news")).toEqual(["Alpha"]);
  expect(await names("description=wfts.writes news")).toEqual(["Alpha"]);
  expect((await db.from("agents").select("name").ilike("name", "%second%")).data).toEqual([{ name: BETA }]);
});

verifies("table-api.filter.sets", "in, is, cs, cd and ov test sets, nulls and containment", async () => {
  expect(await names(`name=in.(Alpha,"Beta, the \\"second\\"")&order=name`)).toEqual(["Alpha", BETA]);
  expect(await names("name=in.()")).toEqual([]);
  expect(await names("max_tokens=is.null")).toEqual([BETA]);
  expect(await names("max_tokens=is.not_null&order=name")).toEqual(["Alpha", "gamma"]);
  expect(await names("is_marketplace=not.is.false")).toEqual(["Alpha"]);
  expect(await names("tags=cs.{news}")).toEqual(["Alpha"]);
  expect(await names("tags=cd.{daily,x}&order=name")).toEqual([BETA, "gamma"]);
  expect(await names("tags=ov.{news,x}")).toEqual(["Alpha"]);
  expect(await names('config=cs.{"tier":"tin"}')).toEqual([BETA]);
  const { data } = await db
    .from("agents")
    .select("name")
    .contains("tags", ["news", "daily"])
    .in("name", ["Alpha", "a,b"]);
  expect(data).toEqual([{ name: "Alpha" }]);
});

verifies("table-api.filter.logic", "not, and and or combine filters", async () => {
  expect(await names("name=not.eq.Alpha&order=name")).toEqual([BETA, "gamma"]);
  expect(await names("name=not.in.(Alpha,gamma)")).toEqual([BETA]);
  expect(await names("or=(name.eq.Alpha,name.eq.gamma)&order=name")).toEqual(["Alpha", "gamma"]);
  expect(await names("or=(name.eq.Alpha,and(max_tokens.gt.150,max_tokens.lt.250))&order=name")).toEqual([
    "Alpha",
    "gamma",
  ]);
  expect(await names("not.or=(name.eq.Alpha,max_tokens.is.null)")).toEqual(["gamma"]);
  expect(await names("and=(tags.cs.{daily},not.or(name.eq.x,tags.cs.{news}))")).toEqual([BETA]);
  expect(await names(`or=(name.in.("${BETA.replaceAll('"', '\\"')}",x),config->>tier.eq.gold)&order=name`)).toEqual([
    "Alpha",
    BETA,
  ]);
  const { data } = await db.from("agents").select("name").or("name.eq.Alpha,tags.ov.{x,y}").not("tags", "cs", "{z}");
  expect(data).toEqual([{ name: "Alpha" }]);
});

verifies("table-api.order", "order takes directions and the place of nulls", async () => {
  expect(await names("order=max_tokens.asc.nullsfirst")).toEqual([BETA, "Alpha", "gamma"]);
  expect(await names("order=max_tokens.desc.nullslast")).toEqual(["gamma", "Alpha", BETA]);
  expect(await names("order=max_tokens.desc")).toEqual([BETA, "gamma", "Alpha"]);
  expect(await names("order=is_marketplace,name.desc")).toEqual(["gamma", BETA, "Alpha"]);
  expect(await names("order=config->>tier.desc.nullslast")).toEqual([BETA, "Alpha", "gamma"]);
});

verifies("table-api.range", "limit, offset and Range choose rows", async () => {
  expect(await names("order=name&limit=2")).toEqual(["Alpha", BETA]);
  expect(await names("order=name&limit=2&offset=2")).toEqual(["gamma"]);
  const page = await db.from("agents").select("name", { count: "exact" }).order("name").range(1, 1);
  expect(page).toMatchObject({ status: 206, count: 3, data: [{ name: BETA }] });
  const headers = { range: "1-1", "range-unit": "items", prefer: "count=exact" };
  const answer = await raw("GET", "/agents?select=name&order=name", { headers });
  expect([answer.status, answer.headers.get("content-range"), answer.body]).toEqual([206, "1-1/3", [{ name: BETA }]]);
  expect((await raw("GET", "/agents?limit=0")).headers.get("content-range")).toBe("*/*");
});
