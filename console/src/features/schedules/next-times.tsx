import { zonedTime } from "../../lib/format.ts";

/** The zone of this browser. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const UTC = "UTC";

/** Times in the schedule's zone and in one's own; where these are the same, in UTC. */
export function NextTimes({ times, zone }: { readonly times: readonly string[]; readonly zone: string }) {
  const other = zone === OWN_ZONE ? UTC : OWN_ZONE;
  return (
    <table className="w-full max-w-[35rem]" aria-label="Next times">
      <thead>
        <tr className="border-b border-line">
          {[zone, other].map((name) => (
            <th key={name} scope="col" className="h-7 text-start text-caption font-medium text-ink-3">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time) => (
          <tr key={time}>
            <td className="py-0.5 pe-4">
              <time dateTime={time}>{zonedTime(new Date(time), zone)}</time>
            </td>
            <td className="py-0.5 text-ink-2">{zonedTime(new Date(time), other)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
