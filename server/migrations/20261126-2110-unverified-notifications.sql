-- A notification whose signature holds and leaves open what it is about: the provider is asked, and its answer is what counts.
alter table payment_notifications
  drop constraint payment_notifications_verdict_check,
  add constraint payment_notifications_verdict_check check (verdict in
    ('unread', 'genuine', 'unverified', 'unreadable', 'unsigned', 'wrong_signature', 'another_merchant', 'another_sender'))
    not valid;
alter table payment_notifications validate constraint payment_notifications_verdict_check;
