import { TableError } from "../errors.ts";

/** The form of a response that a request accepts. */
export interface AcceptedFormat {
  readonly form: "json" | "json-without-nulls" | "csv";
  /** True for exactly one row, as an object instead of a list. */
  readonly single: boolean;
  /** The media type of the response. */
  readonly type: string;
}

const JSON_ROWS: AcceptedFormat = { form: "json", single: false, type: "application/json; charset=utf-8" };
const CSV: AcceptedFormat = { form: "csv", single: false, type: "text/csv; charset=utf-8" };
const OBJECT = "application/vnd.pgrst.object+json";
const ARRAY = "application/vnd.pgrst.array+json";
const STRIPPED = "nulls=stripped";
/** PostgREST's media types without their suffix are accepted too. */
const OBJECTS: ReadonlySet<string> = new Set([OBJECT, "application/vnd.pgrst.object"]);
const ARRAYS: ReadonlySet<string> = new Set([ARRAY, "application/vnd.pgrst.array"]);
const PLAIN: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*", "application/vnd.pgrst", ""]);

/** Chooses the first supported media type of `Accept`. @throws TableError PGRST107. */
export function parseAccept(header: string | undefined): AcceptedFormat {
  const offers = (header ?? "*/*").split(",").map((each) => each.trim().toLowerCase());
  for (const offer of offers) {
    const [type = "", ...parameters] = offer.split(";").map((part) => part.trim());
    const stripped = parameters.includes(STRIPPED);
    if (OBJECTS.has(type)) return vendorJson(OBJECT, { single: true, stripped });
    if (ARRAYS.has(type) && stripped) return vendorJson(ARRAY, { single: false, stripped });
    if (type === "text/csv") return CSV;
    if (ARRAYS.has(type) || PLAIN.has(type)) return JSON_ROWS;
  }
  throw new TableError(406, "PGRST107", {
    message: `None of these media types are available: ${offers.join(", ")}`,
  });
}

function vendorJson(type: string, of: { readonly single: boolean; readonly stripped: boolean }): AcceptedFormat {
  const { single, stripped } = of;
  const parameter = stripped ? `;${STRIPPED}` : "";
  return { form: stripped ? "json-without-nulls" : "json", single, type: `${type}${parameter}; charset=utf-8` };
}
