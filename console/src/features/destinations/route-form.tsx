import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { isStale } from "../../lib/changed-fields.ts";
import { useEdited } from "../../lib/use-edited.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Checkbox, Field, FormError, Input, Select } from "../../ui/field.tsx";
import { StaleNotice } from "../../ui/stale-notice.tsx";
import { ConfigFields, configName } from "./config-fields.tsx";
import { GoogleAccount } from "./google-account.tsx";
import { DEFAULT_EVENTS, ROUTE_EVENTS, eventLabel } from "./records.ts";
import type { Route, RouteType } from "./records.ts";
import { schemaFields, shownValue } from "./schema-fields.ts";
import type { SchemaField } from "./schema-fields.ts";
import { useSendTest } from "./use-send-test.ts";

const EVENTS = "events";
const TEST = "test";
const FIRST_TYPE = "http";
const STALE_FIELDS = ["name", "config", "events", "retry_delays"] as const;

/** Creates or changes a route; the schema of its type defines the fields. */
export function RouteForm({
  types,
  route,
  onSaved,
  onClose,
}: {
  readonly types: readonly RouteType[];
  readonly route?: Route | undefined;
  /** Gets the id of the route, and of the test that was sent with its creation. */
  readonly onSaved: (id: string, delivery?: string) => void;
  readonly onClose: () => void;
}) {
  const [typeName, setTypeName] = useState(route?.type ?? FIRST_TYPE);
  const type = types.find((each) => each.type === typeName);
  const fields = type === undefined ? [] : schemaFields(type.config_schema);
  const client = useQueryClient();
  const sendTest = useSendTest();
  const { opened, changesOf } = useEdited(route, ({ id }) => `/console/api/routes/${id}`);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const body = bodyOf(values, fields, opened);
    const saved = await read(
      opened === undefined
        ? api.POST("/console/api/routes", { body: { ...body, type: typeName } })
        : api.PATCH("/console/api/routes/{id}", {
            params: { path: { id: opened.id } },
            body: await changesOf(body, ({ config, ...rest }) => ({
              ...rest,
              config: configOf(fields, (name) => shownValue(config[name])),
            })),
          }),
    );
    await client.invalidateQueries({ queryKey: ["routes"] });
    // The route exists, so that a test that fails must not let it be created again.
    onSaved(saved.id, values.has(TEST) ? await sendTest(saved.id) : undefined);
  });
  const error = formError(["name", "type", EVENTS, "retry_delays", ...fields.map(({ name }) => configName(name))]);
  return (
    <Dialog title={route === undefined ? "New route" : `Edit ${route.name}`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        {isStale(STALE_FIELDS, opened, route) && <StaleNotice />}
        {route === undefined && (
          <Field label="Type" error={errorOf("type")} help={type?.description}>
            <Select value={typeName} onChange={({ target }) => setTypeName(target.value)} autoFocus>
              {types.map(({ type: name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Name" error={errorOf("name")}>
          <Input
            name="name"
            required
            maxLength={100}
            autoComplete="off"
            defaultValue={route?.name}
            placeholder="Results to the team"
          />
        </Field>
        {type?.account === "google" && <GoogleAccount />}
        <ConfigFields key={typeName} fields={fields} config={route?.config} errorOf={errorOf} />
        <Events chosen={route?.events ?? DEFAULT_EVENTS} error={errorOf(EVENTS)} />
        <Field
          label="Retries"
          error={errorOf("retry_delays")}
          help="Seconds before the second attempt, the third, and so on. Empty: one attempt."
        >
          <Input
            name="retry_delays"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={shownValue(route?.retry_delays ?? [5])}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy} disabled={type === undefined}>
            {route === undefined ? "Create route" : "Save route"}
          </Button>
          {route === undefined && (
            <Button type="submit" name={TEST} isBusy={isBusy} disabled={type === undefined}>
              Create and send test
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Events({ chosen, error }: { readonly chosen: readonly string[]; readonly error: string | undefined }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Delivers</legend>
      <div className="grid grid-cols-2 gap-1.5 max-sm:grid-cols-1">
        {ROUTE_EVENTS.map((event) => (
          <Checkbox
            key={event}
            name={EVENTS}
            value={event}
            defaultChecked={chosen.includes(event)}
            label={eventLabel(event)}
          />
        ))}
      </div>
      {error !== undefined && <p className="mt-1.5 text-small text-failed">{error}</p>}
    </fieldset>
  );
}

function bodyOf(values: FormData, fields: readonly SchemaField[], route: Route | undefined) {
  const events = values.getAll(EVENTS);
  const delays = textIn(values, "retry_delays").split(/[\s,]+/);
  return {
    name: textIn(values, "name"),
    config: configOf(fields, (name, isSecret) => {
      const text = textIn(values, configName(name));
      // A secret that is sent back as it is shown stays.
      return text === "" && isSecret ? shownValue(route?.config[name]) : text;
    }),
    events: ROUTE_EVENTS.filter((event) => events.includes(event)),
    retry_delays: delays.filter((delay) => delay !== "").map(Number),
  };
}

/** A config without its empty fields. */
function configOf(
  fields: readonly SchemaField[],
  valueOf: (name: string, isSecret: boolean) => string,
): Record<string, string> {
  const values = fields.map(({ name, isSecret }) => [name, valueOf(name, isSecret)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}
