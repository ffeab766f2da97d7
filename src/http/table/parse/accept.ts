import { TableError } from "../errors.ts";

/** The form of an answer that a request accepts. */
export interface Accepted {
  readonly form: "json" | "json-without-nulls" | "csv";
  /** Exactly one row, as an object instead of a list. */
  readonly single: boolean;
  /** The media type of such an answer. */
  readonly type: string;
}

const JSON_ROWS: Accepted = { form: "json", single: false, type: "application/json; charset=utf-8" };
const CSV: Accepted = { form: "csv", single: false, type: "text/csv; charset=utf-8" };
const OBJECT = "application/vnd.pgrst.object+json";
const ARRAY = "application/vnd.pgrst.array+json";

/** Chooses among the media types of `Accept`, the first that can be answered. @throws TableError PGRST107. */
export function parseAccept(header: string | undefined): Accepted {
  const offers = (header ?? "*/*").split(",").map((each) => each.trim().toLowerCase());
  for (const offer of offers) {
    const [type = "", ...parameters] = offer.split(";").map((part) => part.trim());
    const form = parameters.includes("nulls=stripped") ? "json-without-nulls" : "json";
    if (type === OBJECT) return { form, single: true, type: `${OBJECT}; charset=utf-8` };
    if (type === ARRAY && form !== "json") return { form, single: false, type: `${ARRAY}; charset=utf-8` };
    if (type === "text/csv") return CSV;
    if (["application/json", "application/*", "*/*", ARRAY, "application/vnd.pgrst", ""].includes(type))
      return JSON_ROWS;
  }
  throw new TableError(406, "PGRST107", {
    message: `None of these media types are available: ${offers.join(", ")}`,
  });
}
