// Loaded into a service before everything else: its wall clock jumps by an hour forwards or backwards, once a second.
const HOUR_MS = 3_600_000;
const now = Date.now.bind(Date);
let offset = 0;

globalThis.Date = class extends Date {
  constructor(...values) {
    if (values.length === 0) super(now() + offset);
    else super(...values);
  }

  static now() {
    return now() + offset;
  }
};
setInterval(() => (offset = offset > 0 ? -HOUR_MS : HOUR_MS), 1_000).unref();
