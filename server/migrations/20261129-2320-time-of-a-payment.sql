-- The provider's own time of a payment, as it spells it, of providers that send no reference: two payments of one amount for an order
-- differ by it alone. Null of all others, and of what processes of the previous version write.
alter table payment_cases add column provider_time text;
alter table payment_credits add column provider_time text;
