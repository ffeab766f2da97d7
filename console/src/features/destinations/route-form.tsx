import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createRoute, getRoute, updateRoute } from "#client/gen/operations/output-routes.ts";
import { call } from "../../api/client.ts";
import { useIssue } from "../../forms/form-context.ts";
import { useDrafted } from "../../forms/form-draft.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { Checkbox, SelectField } from "../../ui/fields.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { ConfigFields, configName } from "./config-fields.tsx";
import { GoogleAccount } from "./google-account.tsx";
import {
  AllowedField,
  KIND,
  KindField,
  MembersField,
  TalkFields,
  allowedIn,
  membersIn,
  talkIn,
} from "./people-fields.tsx";
import { DEFAULT_EVENTS, ROUTE_EVENTS, eventLabel, kindOf } from "./records.ts";
import type { Route, RouteType } from "./records.ts";
import { configFields, shownValue } from "./schema-fields.ts";
import type { SchemaField } from "./schema-fields.ts";
import { useSendTest } from "./use-send-test.ts";

const TYPE = "type";
const EVENTS = "events";
const RETRIES = "retry_delays";
const TEST = "test";
const FIRST_TYPE = "http";

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
  const client = useQueryClient();
  const sendTest = useSendTest();
  // Nothing can be sent to a conversation that nobody has begun.
  const [kind, setKind] = useState("results");
  async function save(values: FormData, { opened, changesOf }: Edited<Route>) {
    const type = opened?.type ?? textIn(values, TYPE);
    const kind = opened?.kind ?? kindOf(textIn(values, KIND));
    const fields = fieldsOf(types, type, kind);
    const body = { ...bodyOf(values, fields, opened), ...ofKind(values, kind, opened) };
    const { id } = await (opened === undefined
      ? call(createRoute)({ ...body, type, kind })
      : call(updateRoute)(
          { id: opened.id },
          await changesOf(body, ({ config, ...rest }) => ({
            ...rest,
            config: configOf(fields, (name) => shownValue(config[name])),
          })),
        ));
    await client.invalidateQueries({ queryKey: ["routes"] });
    return { id, isTested: values.has(TEST) };
  }
  const isNew = route === undefined;
  return (
    <RecordDialog
      title={isNew ? "New route" : `Edit ${route.name}`}
      action={isNew ? "Create route" : "Save route"}
      draft={`route.${route?.id ?? "new"}`}
      record={route}
      read={({ id }) => call(getRoute)({ id })}
      save={save}
      // The route exists, so that a test that fails must not let it be created again.
      onSaved={async ({ id, isTested }) => onSaved(id, isTested ? await sendTest(id) : undefined)}
      onClose={onClose}
      after={
        isNew &&
        kind !== "agent" && (
          <SubmitButton look="plain" name={TEST}>
            Create and send test
          </SubmitButton>
        )
      }
    >
      <RouteFields types={types} route={route} onKind={setKind} />
    </RecordDialog>
  );
}

function RouteFields({
  types,
  route,
  onKind,
}: {
  readonly types: readonly RouteType[];
  readonly route: Route | undefined;
  readonly onKind: (kind: string) => void;
}) {
  const [chosen, setTypeName] = useDrafted(TYPE, route?.type ?? FIRST_TYPE);
  const [kindName, setKind] = useDrafted(KIND, route?.kind ?? "results");
  useEffect(() => onKind(kindName), [onKind, kindName]);
  const able = types.filter(({ kinds }) => kinds.some((kind) => kind === kindName));
  const type = able.find((each) => each.type === chosen) ?? able[0];
  const typeName = type?.type ?? chosen;
  return (
    <>
      {route === undefined && (
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <KindField kind={kindName} onChange={setKind} />
          <TypeField
            types={able}
            typeName={typeName}
            help={kindName === "agent" ? undefined : type?.description}
            onChange={setTypeName}
          />
        </div>
      )}
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        placeholder={kindName === "agent" ? "Helpdesk in Slack" : "Results to the team"}
      />
      {type?.account === "google" && <GoogleAccount />}
      <ConfigFields
        key={`${kindName} ${typeName}`}
        fields={fieldsOf(types, typeName, kindName)}
        config={route?.config}
      />
      {kindName === "agent" && <TalkFields route={route} />}
      {kindName === "people" && (
        <>
          <AllowedField label="Who may answer" route={route} />
          <MembersField route={route} />
        </>
      )}
      {kindName === "results" && <Events chosen={route?.events ?? DEFAULT_EVENTS} />}
      {kindName !== "agent" && <RetriesField route={route} />}
    </>
  );
}

function TypeField({
  types,
  typeName,
  help,
  onChange,
}: {
  readonly types: readonly RouteType[];
  readonly typeName: string;
  readonly help: string | undefined;
  readonly onChange: (name: string) => void;
}) {
  return (
    <SelectField
      name={TYPE}
      label="Type"
      help={help}
      value={typeName}
      onChange={({ target }) => onChange(target.value)}
      autoFocus
    >
      {types.map(({ type: name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </SelectField>
  );
}

/** A new route gets those of its kind, unless others are typed. */
function RetriesField({ route }: { readonly route: Route | undefined }) {
  const empty = route === undefined ? "those of its kind" : "one attempt";
  return (
    <TextField
      name={RETRIES}
      label="Retries"
      help={`Seconds before the second attempt, the third, and so on. Empty: ${empty}.`}
      inputMode="numeric"
      defaultValue={shownValue(route?.retry_delays)}
    />
  );
}

function Events({ chosen }: { readonly chosen: readonly string[] }) {
  const error = useIssue(EVENTS);
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

function fieldsOf(types: readonly RouteType[], name: string, kind: string): readonly SchemaField[] {
  const type = types.find((each) => each.type === name);
  return type === undefined ? [] : configFields(type, kind);
}

/** The fields that depend on the kind: a route of kind people has one event, one of kind agent none. */
function ofKind(values: FormData, kind: Route["kind"], route: Route | undefined) {
  if (kind === "agent") return talkIn(values);
  const delays = textIn(values, RETRIES).split(/[\s,]+/);
  const given = delays.filter((delay) => delay !== "").map(Number);
  const retries = (route !== undefined || given.length > 0) && { retry_delays: given };
  if (kind === "people") return { ...retries, allowed_user_ids: allowedIn(values), members: membersIn(values) };
  return { ...retries, events: eventsIn(values) };
}

function eventsIn(values: FormData) {
  const events = values.getAll(EVENTS);
  return ROUTE_EVENTS.filter((event) => events.includes(event));
}

function bodyOf(values: FormData, fields: readonly SchemaField[], route: Route | undefined) {
  return {
    name: textIn(values, "name"),
    config: configOf(fields, (name, isSecret) => {
      const text = textIn(values, configName(name));
      // A secret that is sent back as it is shown stays.
      return text === "" && isSecret ? shownValue(route?.config[name]) : text;
    }),
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
