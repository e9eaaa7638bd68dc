-- Which make of card a payment came from, where its provider says so. Never more of a card than that.
alter table deposit_orders
  add column card_type text
    check (card_type in ('amex', 'visa', 'discover', 'mastercard', 'jcb', 'maestro', 'diners'));
