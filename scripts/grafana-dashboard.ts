/** A panel, with its queries by their legends; `{{label}}` in a legend is replaced by Grafana. */
interface Panel {
  readonly title: string;
  readonly unit: "short" | "s" | "percentunit" | "ops" | "bytes";
  readonly queries: Readonly<Record<string, string>>;
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const RATE = "[$__rate_interval]";
const HISTOGRAM = (metric: string, share: number, by = "") =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(${metric}_bucket${RATE})))`;
// The same in every process: of several that are scraped, any one is right.
const ENDED = `max by (kind, status, error_code) (rate(muster_runs_ended_total${RATE}))`;

const ROWS: readonly Row[] = [
  {
    title: "Runs",
    panels: [
      { title: "Runs that end", unit: "ops", queries: { "{{kind}} {{status}}": `sum by (kind, status) (${ENDED})` } },
      {
        title: "Why runs fail",
        unit: "ops",
        queries: {
          "{{error_code}}": `sum by (error_code) (max by (kind, error_code) (rate(muster_runs_ended_total{status="failed"}${RATE})))`,
        },
      },
      {
        title: "Runs in progress",
        unit: "short",
        queries: { "{{instance}}": "sum by (instance) (muster_active_jobs)" },
      },
      { title: "Open streams", unit: "short", queries: { "{{instance}}": "sum by (instance) (muster_open_streams)" } },
    ],
  },
  {
    title: "Queue",
    panels: [
      { title: "Jobs", unit: "short", queries: { "{{kind}} {{state}}": "max by (kind, state) (muster_jobs)" } },
      {
        title: "Oldest waiting job",
        unit: "s",
        queries: { "{{kind}}": "max by (kind) (muster_oldest_waiting_job_seconds)" },
      },
      {
        title: "Delay of a start",
        unit: "s",
        queries: {
          p50: HISTOGRAM("muster_job_start_delay_seconds", 0.5),
          p95: HISTOGRAM("muster_job_start_delay_seconds", 0.95),
        },
      },
      {
        title: "Takeovers, lost leases, late schedules",
        unit: "short",
        queries: {
          "jobs taken over": `sum(increase(muster_jobs_taken_over_total${RATE}))`,
          "leases lost": `sum(increase(muster_leases_lost_total${RATE}))`,
          "most overdue schedule (s)": "max(muster_schedule_lateness_seconds)",
        },
      },
      { title: "Oldest question", unit: "s", queries: { "": "max(muster_oldest_question_seconds)" } },
    ],
  },
  {
    title: "Models and receivers",
    panels: [
      {
        title: "Model calls",
        unit: "ops",
        queries: {
          "{{provider}} {{outcome}}": `sum by (provider, outcome) (rate(muster_provider_call_seconds_count${RATE}))`,
        },
      },
      {
        title: "Duration of a model call, p95",
        unit: "s",
        queries: { "{{provider}}": HISTOGRAM("muster_provider_call_seconds", 0.95, ", provider") },
      },
      {
        title: "Calls that wait for a provider's limit",
        unit: "short",
        queries: {
          "{{provider}}": "max by (provider) (muster_provider_calls_waiting)",
          "{{provider}}, closed": "max by (provider) (muster_provider_gates_closed)",
        },
      },
      {
        title: "Deliveries",
        unit: "ops",
        queries: { "{{type}} {{outcome}}": `sum by (type, outcome) (rate(muster_deliveries_total${RATE}))` },
      },
      {
        title: "Spans exported, and their lag",
        unit: "short",
        queries: {
          "{{outcome}} per second": `sum by (outcome) (rate(muster_trace_spans_total${RATE}))`,
          "lag (s)": "max(muster_trace_lag_seconds)",
        },
      },
    ],
  },
  {
    title: "Requests and processes",
    panels: [
      {
        title: "Requests by status",
        unit: "ops",
        queries: { "{{status}}": `sum by (status) (rate(muster_http_request_seconds_count${RATE}))` },
      },
      {
        title: "Time until a response, p95",
        unit: "s",
        queries: {
          "{{method}} {{route}}": `topk(8, ${HISTOGRAM("muster_http_request_seconds", 0.95, ", method, route")})`,
        },
      },
      { title: "Memory", unit: "bytes", queries: { "{{instance}}": "process_resident_memory_bytes" } },
      {
        title: "Event loop, p99",
        unit: "s",
        queries: { "{{instance}}": "nodejs_eventloop_lag_p99_seconds" },
      },
    ],
  },
  {
    title: "Database",
    panels: [
      {
        title: "Connections",
        unit: "short",
        queries: {
          "{{pool}} {{state}}": "sum by (pool, state) (muster_database_connections)",
          lost: `sum(increase(muster_database_connections_lost_total${RATE}))`,
        },
      },
      {
        title: "Oldest transaction",
        unit: "s",
        queries: { oldest: "max(muster_database_oldest_transaction_seconds)" },
      },
      { title: "Age of the oldest transaction id", unit: "short", queries: { age: "max(muster_database_xid_age)" } },
      {
        title: "Queue of notifications",
        unit: "percentunit",
        queries: { used: "max(muster_database_notify_queue_ratio)" },
      },
    ],
  },
];

/** Panels of a row; Grafana's grid has 24 columns. */
const COLUMNS = 4;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
const SOURCE = { type: "prometheus", uid: "${datasource}" };

/** Writes the dashboard for Grafana 10 or newer. Its source of data is chosen in it, and so are the processes. */
export function grafanaDashboard(): string {
  const dashboard = {
    uid: "muster",
    title: "Muster",
    tags: ["muster"],
    editable: true,
    refresh: "30s",
    schemaVersion: 39,
    time: { from: "now-6h", to: "now" },
    templating: {
      list: [{ name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" }],
    },
    panels: ROWS.flatMap(panelsOf),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function panelsOf({ title, panels }: Row, index: number) {
  const y = index * (HEIGHT + 1);
  const id = index * (COLUMNS + 1) + 1;
  return [
    { id, type: "row", title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 } },
    ...panels.map((panel, column) => ({
      id: id + column + 1,
      type: "timeseries",
      title: panel.title,
      datasource: SOURCE,
      gridPos: { x: column * WIDTH, y: y + 1, w: WIDTH, h: HEIGHT },
      fieldConfig: { defaults: { unit: panel.unit, min: 0 } },
      targets: Object.entries(panel.queries).map(([legendFormat, expr], number) => ({
        refId: String.fromCharCode("A".charCodeAt(0) + number),
        datasource: SOURCE,
        expr,
        legendFormat,
      })),
    })),
  ];
}
