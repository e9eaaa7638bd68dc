-- What members see beside a provider's name, where the workspace shows another logo than the one that comes with it. The
-- logo itself is kept with the workspace's logos, and is public like them.
alter table payment_providers
  add column logo_url text check (logo_url ~ '^/brand/logos/[0-9a-f-]{36}/logo\.(png|jpg)$');
