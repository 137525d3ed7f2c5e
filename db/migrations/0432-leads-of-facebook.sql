-- Leads that people leave in a form on Facebook or Instagram come by a source of their own, which keeps what its page and app are known by, sealed.
alter table lead_sources drop constraint lead_sources_channel_check;
alter table lead_sources add constraint lead_sources_channel_check check (channel in ('form', 'mail', 'api', 'link', 'hand', 'facebook'));
alter table lead_sources add column facebook_sealed bytea;
