import { useQuery } from "@tanstack/react-query";
import { listRoutes } from "#client/gen/operations/output-routes.ts";
import { readAll } from "../../../api/use-pages.ts";
import { Checkbox, SelectField } from "../../../ui/fields.tsx";

/** Where results are delivered: to every active output route, to none, or to chosen ones. */
export function RoutesControl({
  value,
  isReadOnly,
  onChange,
}: {
  /** null: every active route. */
  readonly value: readonly string[] | null;
  readonly isReadOnly: boolean;
  readonly onChange: (value: readonly string[] | null) => void;
}) {
  const { data } = useQuery({
    queryKey: ["output-routes"],
    queryFn: () => readAll(listRoutes, {}),
  });
  const routes = data ?? [];
  return (
    <>
      <SelectField
        label="Deliver results to"
        path="output_route_ids"
        disabled={isReadOnly}
        value={value === null ? "all" : "chosen"}
        onChange={({ target }) => onChange(target.value === "all" ? null : [])}
      >
        <option value="all">Every active destination</option>
        <option value="chosen">{routes.length === 0 ? "No destination" : "Chosen destinations only"}</option>
      </SelectField>
      {value !== null && routes.length > 0 && (
        <fieldset className="-mt-2 flex flex-col">
          <legend className="sr-only">Destinations</legend>
          {routes.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              disabled={isReadOnly}
              checked={value.includes(id)}
              onChange={({ target }) => onChange(target.checked ? [...value, id] : value.filter((each) => each !== id))}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
