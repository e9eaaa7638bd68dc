-- Where a member's money is paid out to: bank accounts, and now wallets and other accounts too. A destination that is new or
-- was changed rests until `usable_from`, so that its owner can read the mail about it before anything is paid there.
alter table bank_accounts add column changed_at timestamptz;
-- What is there already was there before this rule, and rests no more. Whole milliseconds, as the program knows them.
alter table bank_accounts add column usable_from timestamptz not null default date_trunc('milliseconds', now());
alter table bank_accounts alter column usable_from drop default;
alter table bank_accounts add constraint bank_accounts_owner unique (workspace_id, bank_account_id, member_id);

alter table media drop constraint media_purpose_check;
alter table media add constraint media_purpose_check check (purpose in ('receipt', 'document', 'picture', 'qr'));

create table fund_accounts (
  workspace_id uuid not null,
  fund_account_id uuid not null,
  member_id uuid not null,
  type text not null check (type in ('other', 'crypto')),
  name text not null,
  provider text not null,
  preferred_currency text not null,
  address_id text not null,
  notes text,
  qr_media_id uuid,
  created_at timestamptz not null,
  changed_at timestamptz,
  usable_from timestamptz not null,
  removed_at timestamptz,
  primary key (workspace_id, fund_account_id),
  constraint fund_accounts_owner unique (workspace_id, fund_account_id, member_id),
  foreign key (workspace_id, member_id) references members (workspace_id, member_id),
  -- Three columns of the key: nobody shows somebody else's picture.
  constraint fund_accounts_qr foreign key (workspace_id, qr_media_id, member_id)
    references media (workspace_id, media_id, member_id)
);
create index fund_accounts_member on fund_accounts (workspace_id, member_id);
create index fund_accounts_qr on fund_accounts (workspace_id, qr_media_id) where qr_media_id is not null;
select protect_table('fund_accounts', 'own');

-- The second guard of the rest: whoever acts as a member wakes no destination early, nor changes one that was taken away.
create function guard_destination() returns trigger language plpgsql as $$
begin
  if scope_actor() = 'member' then
    if new.usable_from < old.usable_from then
      raise exception 'a destination rests until its time' using errcode = 'insufficient_privilege';
    end if;
    if old.removed_at is not null then
      raise exception 'a removed destination stays as it was' using errcode = 'insufficient_privilege';
    end if;
  end if;
  if new.member_id <> old.member_id or new.created_at <> old.created_at then
    raise exception 'a destination keeps its owner' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_destination before update on bank_accounts for each row execute function guard_destination();
create trigger guard_destination before update on fund_accounts for each row execute function guard_destination();
