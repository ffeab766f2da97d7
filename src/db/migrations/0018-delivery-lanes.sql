-- The lane of a delivery names its workspace, so that a host's share of the slots is per workspace: `enqueue_deliveries`
-- in 100-deliveries.sql.
comment on column jobs.receiver is
  'For a delivery, the host, the workspace and the id of its route or subscription. For delegated work, the workspace
   and the depth.';
