-- A notice that is sealed as it should be and comes from another address than the brokerage takes notices from.
alter table payment_notifications
  drop constraint payment_notifications_verdict_check,
  add constraint payment_notifications_verdict_check check (verdict in
    ('unread', 'genuine', 'unreadable', 'unsigned', 'wrong_signature', 'another_merchant', 'another_sender')) not valid;
alter table payment_notifications validate constraint payment_notifications_verdict_check;
