import { z } from "zod";

/** What a receiver says of a request that it took. */
export interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly message: string;
}

const json = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.coerce.number().default(0), errorMessage: z.string().default("") })
    .optional(),
});

/** Reads an ExportTraceServiceResponse; one that cannot be read counts as complete success, as it says nothing else. */
export function readResponse(body: Uint8Array, isJson: boolean): PartialSuccess {
  try {
    return isJson ? readJson(body) : readProtobuf(body);
  } catch {
    return { rejectedSpans: 0, message: "" };
  }
}

function readJson(body: Uint8Array): PartialSuccess {
  const said: unknown = JSON.parse(Buffer.from(body).toString() || "{}");
  const { rejectedSpans = 0, errorMessage: message = "" } = json.parse(said).partialSuccess ?? {};
  return { rejectedSpans, message };
}

/** The response's field 1 is the partial success, with the number as its field 1 and the message as its field 2. */
function readProtobuf(body: Uint8Array): PartialSuccess {
  const said = fieldsOf(body).get(1);
  const fields = typeof said === "object" ? fieldsOf(said) : new Map<number, number | Uint8Array>();
  const [rejected, message] = [fields.get(1), fields.get(2)];
  return {
    rejectedSpans: typeof rejected === "number" ? rejected : 0,
    message: typeof message === "object" ? Buffer.from(message).toString() : "",
  };
}

/** Numbers and contents by field; a message with fields of another kind is not one of these. */
function fieldsOf(body: Uint8Array): ReadonlyMap<number, number | Uint8Array> {
  const fields = new Map<number, number | Uint8Array>();
  let at = 0;
  function number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = body[at++];
      if (byte === undefined) throw new RangeError("The message ends too early.");
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }
  while (at < body.length) {
    const key = number();
    if (key % 8 === 0) fields.set(Math.floor(key / 8), number());
    else if (key % 8 === 2) {
      const length = number();
      fields.set(Math.floor(key / 8), body.subarray(at, (at += length)));
    } else throw new RangeError("The message has fields of another kind.");
  }
  return fields;
}
