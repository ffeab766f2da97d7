-- How a workspace pays for an endpoint of its own: by the token, or as part of a subscription.
alter table provider_keys add column billing_model text not null default 'per-token'
  check (billing_model in ('per-token', 'subscription-quota'));
grant select (billing_model) on provider_keys to muster_viewer;
