/** Money is text, volumes are whole 1/100000000 lots, times are milliseconds in platform time. */
export type UserRow = {
  login: number
  group_name: string
  rights: string
  leverage: number
  balance: string
  credit: string
  registered_msc: number
  texts: string
  salt: string
  main_hash: string
  investor_hash: string
}
export type DealRow = {
  deal: number
  login: number
  dealer: number
  order_id: number
  action: number
  entry: number
  reason: number
  symbol: string
  time_msc: number
  price: string
  price_sl: string
  price_tp: string
  volume_ext: number
  profit: string
  storage: string
  commission: string
  position_id: number
  comment: string
  price_position: string
  volume_closed_ext: number
}
export type OrderRow = {
  order_id: number
  login: number
  symbol: string
  type: number
  state: number
  reason: number
  setup_msc: number
  done_msc: number
  volume_ext: number
  price: string
  position_id: number
  comment: string
}
export type PositionRow = {
  position: number
  login: number
  symbol: string
  action: number
  created_msc: number
  price_open: string
  price_sl: string
  price_tp: string
  volume_ext: number
  storage: string
  reason: number
  comment: string
}

export const tables = `
  create table if not exists groups (name text primary key, record text not null);
  create table if not exists users (
    login integer primary key, group_name text not null references groups, rights text not null,
    leverage integer not null, balance text not null, credit text not null, registered_msc integer not null,
    texts text not null, salt text not null, main_hash text not null, investor_hash text not null);
  create table if not exists api_passwords (login integer primary key references users, hash text not null);
  create table if not exists deals (
    deal integer primary key autoincrement, login integer not null references users, dealer integer not null,
    order_id integer not null, action integer not null, entry integer not null, reason integer not null,
    symbol text not null, time_msc integer not null, price text not null, price_sl text not null,
    price_tp text not null, volume_ext integer not null, profit text not null, storage text not null,
    commission text not null, position_id integer not null, comment text not null, price_position text not null,
    volume_closed_ext integer not null);
  create index if not exists deals_of_login on deals (login, time_msc, deal);
  create index if not exists deals_of_position on deals (position_id);
  create table if not exists orders (
    order_id integer primary key autoincrement, login integer not null references users, symbol text not null,
    type integer not null, state integer not null, reason integer not null, setup_msc integer not null,
    done_msc integer not null, volume_ext integer not null, price text not null, position_id integer not null,
    comment text not null);
  create index if not exists orders_of_login on orders (login, done_msc, order_id);
  create table if not exists positions (
    position integer primary key, login integer not null references users, symbol text not null,
    action integer not null, created_msc integer not null, price_open text not null, price_sl text not null,
    price_tp text not null, volume_ext integer not null, storage text not null, reason integer not null,
    comment text not null);
  create index if not exists positions_of_login on positions (login);
  insert into sqlite_sequence select 'deals', 136000 where not exists (select 1 from sqlite_sequence where name = 'deals');
  insert into sqlite_sequence select 'orders', 84000 where not exists (select 1 from sqlite_sequence where name = 'orders');
`
