/** Money is text, volumes are whole lots x 100, times are seconds in platform time; 0 means "not closed". */
export type UserRow = {
  login: number
  group_name: string
  enable: number
  enable_change_password: number
  enable_read_only: number
  leverage: number
  balance: string
  credit: string
  registered: number
  texts: string
  salt: string
  main_hash: string
  investor_hash: string
}
export type TradeRow = {
  ticket: number
  login: number
  cmd: number
  symbol: string
  volume: number
  state: number
  reason: number
  open_time: number
  open_price: string
  sl: string
  tp: string
  close_time: number
  close_price: string
  commission: string
  storage: string
  profit: string
  comment: string
}
export type KeyRow = { digest: string; status: number; answer: string }

export const tables = `
  create table if not exists groups (name text primary key, record text not null);
  create table if not exists users (
    login integer primary key, group_name text not null references groups, enable integer not null,
    enable_change_password integer not null, enable_read_only integer not null, leverage integer not null,
    balance text not null, credit text not null, registered integer not null, texts text not null,
    salt text not null, main_hash text not null, investor_hash text not null);
  create index if not exists users_of_group on users (group_name, login);
  create table if not exists trades (
    ticket integer primary key autoincrement, login integer not null references users, cmd integer not null,
    symbol text not null, volume integer not null, state integer not null, reason integer not null,
    open_time integer not null, open_price text not null, sl text not null, tp text not null,
    close_time integer not null, close_price text not null, commission text not null, storage text not null,
    profit text not null, comment text not null);
  create index if not exists trades_of_login on trades (login, close_time, ticket);
  create table if not exists keys (
    key text primary key, digest text not null, status integer not null, answer text not null, at integer not null);
  insert into sqlite_sequence select 'trades', 4100000 where not exists (select 1 from sqlite_sequence where name = 'trades');
`
