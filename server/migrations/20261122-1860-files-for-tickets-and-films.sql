-- Files for tickets, and films.
alter table media drop constraint media_purpose_check;
alter table media add constraint media_purpose_check
  check (purpose in ('receipt', 'document', 'picture', 'qr', 'ticket', 'video'));
alter table media drop constraint media_kind_check;
alter table media add constraint media_kind_check check (kind in ('image', 'file', 'video'));
