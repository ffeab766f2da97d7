-- Jobs of work that one agent delegated to another have lanes of their own, one per depth of delegation.
comment on column jobs.receiver is
  'For a delivery, the host and the id of its route or subscription. For delegated work, the workspace and the depth.';
