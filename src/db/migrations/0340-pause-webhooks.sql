-- A webhook subscription can be paused: while is_active is false, its events are not delivered to it.

grant update (is_active) on webhook_subscriptions to muster_app;
