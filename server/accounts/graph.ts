import { countryByCode } from '@atrium/contract/members/countries.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import DataLoader from 'dataloader'
import { z } from 'zod'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { type AccountShape, isColumnsKnown, listAccounts, listNewestAccounts, readAccounts } from './queries.ts'
import { isLive, syncAccounts } from './sync.ts'

const accountCustomer = builder.objectRef<AccountShape>('AccountCustomer')
const tradeInfo = builder.objectRef<AccountShape>('TradeInfo')

function makeAccountLoader({ read, member }: GraphContext) {
  return new DataLoader<string, AccountShape | null>(async (ids) => {
    const rows = await read((tx) => readAccounts(tx, member, ids))
    const byId = new Map(rows.map((row) => [row.account_id, row]))
    return ids.map((id) => byId.get(id) ?? null)
  })
}

/** Batches own accounts by id into one statement; null for one that does not belong to the member. */
export function accountLoader(context: GraphContext): DataLoader<string, AccountShape | null> {
  return context.own(makeAccountLoader)
}

/**
 * Reads the newest accounts by id with the columns of these fields, in parallel with the list that names them.
 * Undefined when a field needs the whole account.
 */
export async function readAccountsAhead(
  { read, member }: GraphContext,
  fields: readonly string[],
): Promise<ReadonlyMap<string, AccountShape> | undefined> {
  if (!isColumnsKnown(fields)) return undefined
  const rows = await read((tx) => listNewestAccounts(tx, member, fields))
  return new Map(rows.map((row) => [row.account_id, row]))
}

/** The stored lists read by a document, each with the fields that it answers. */
type Stored = { fields: readonly string[]; rows: Promise<AccountShape[]> }
const makeStored = (): Stored[] => []

/** The stored list with at least the columns of these fields; several fields of a document share one. */
export function storedAccounts(context: GraphContext, fields: readonly string[]): Promise<AccountShape[]> {
  const stored = context.own(makeStored)
  const known = stored.find((each) => fields.every((field) => each.fields.includes(field)))
  if (known) return known.rows
  const rows = context.read((tx) => listAccounts(tx, context.member, fields))
  stored.push({ fields, rows })
  return rows
}

/** The member's accounts. With `sync`, their metrics come from the platform if it answers in time. */
export async function accountsOf(
  context: GraphContext,
  sync: boolean,
  fields: readonly string[],
): Promise<AccountShape[]> {
  const { read, member } = context
  const rows = await storedAccounts(context, fields)
  if (!sync || rows.length === 0) return rows
  await syncAccounts(
    await context.proven(),
    rows.map((row) => row.account_id),
  )
  return read((tx) => listAccounts(tx, member, fields))
}

async function accountOf(context: GraphContext, id: string, sync: boolean): Promise<AccountShape | null> {
  if (!z.uuid().safeParse(id).success) return null
  const loader = accountLoader(context)
  const row = await loader.load(id.toLowerCase())
  // A closed account keeps its page: the owner may still read its history.
  if (!row || row.deleted || !sync) return row
  await syncAccounts(await context.proven(), [row.account_id])
  return loader.clear(row.account_id).load(row.account_id)
}

function scaled(amount: string | null, currency: string): string | null {
  return amount === null ? null : toScale(amount, currency)
}

export function describeAccounts(): void {
  describeParts()
  describeAccount()
  builder.queryFields((t) => ({
    trading_account: t.field({
      scopes: ['my_accounts', 'deposit', 'withdraw'],
      reads: 1,
      type: 'TradingAccount',
      nullable: true,
      args: { _id: t.arg.id({ required: true }), sync: t.arg.boolean({ defaultValue: false }) },
      resolve: (_root, args, context) => accountOf(context, args._id, args.sync ?? false),
    }),
  }))
}

/** An account that only names the account of a transaction or a download shows no metrics to a member without these. */
const ofMetrics = { scopes: ['my_accounts', 'deposit', 'withdraw'] } as const

function describeAccount(): void {
  builder.objectType('TradingAccount', {
    fields: (t) => ({
      _id: t.exposeID('account_id'),
      id: t.exposeID('account_id'),
      platform_login: t.exposeString('platform_login'),
      platform_type: t.exposeString('platform_type'),
      leverage: t.exposeInt('leverage'),
      type: t.exposeString('type', { nullable: true }),
      group: t.exposeString('group_name', { nullable: true }),
      balance: t.field({
        ...ofMetrics,
        type: 'Money',
        nullable: true,
        resolve: (row) => scaled(row.balance, row.currency),
      }),
      equity: t.field({
        ...ofMetrics,
        type: 'Money',
        nullable: true,
        resolve: (row) => scaled(row.equity, row.currency),
      }),
      credit: t.field({
        ...ofMetrics,
        type: 'Money',
        nullable: true,
        resolve: (row) => scaled(row.credit, row.currency),
      }),
      margin: t.field({
        ...ofMetrics,
        type: 'Money',
        nullable: true,
        resolve: (row) => scaled(row.margin, row.currency),
      }),
      margin_free: t.field({
        ...ofMetrics,
        type: 'Money',
        nullable: true,
        resolve: (row) => scaled(row.margin_free, row.currency),
      }),
      // In percent, as decimal text.
      margin_level: t.exposeString('margin_level', { ...ofMetrics, nullable: true }),
      balance_as_of: t.expose('synced_at', { type: 'Millis', nullable: true }),
      balance_is_live: t.boolean({ resolve: (row, _args, { member }) => isLive(row.synced_at, member.context.clock) }),
      live_account: t.exposeBoolean('live_account'),
      currency: t.exposeString('currency'),
      status: t.exposeString('status'),
      country: t.string({ nullable: true, resolve: (row) => countryByCode(row.country_code)?.name ?? null }),
      country_alpha2: t.exposeString('country_code', { nullable: true }),
      city: t.exposeString('city', { nullable: true }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      enable_change_password: t.exposeBoolean('enable_change_password'),
      enable_read_only: t.exposeBoolean('enable_read_only'),
      // A former owner may still know it.
      main_password_due: t.exposeBoolean('main_password_due'),
      investor_password_due: t.exposeBoolean('investor_password_due'),
      archived: t.exposeBoolean('archived'),
      deleted: t.exposeBoolean('deleted'),
      customer: t.field({ type: accountCustomer, resolve: (row) => row }),
      trading_platform: t.field({ type: 'TradingPlatform', resolve: (row) => row }),
      trade_info: t.field({ ...ofMetrics, type: tradeInfo, nullable: true, resolve: (row) => row }),
    }),
  })
}

function describeParts(): void {
  accountCustomer.implement({
    fields: (t) => ({
      _id: t.exposeID('member_id'),
      name: t.exposeString('owner_name'),
      moved: t.boolean({ resolve: () => false }),
    }),
  })
  builder.objectType('TradingPlatform', {
    fields: (t) => ({
      _id: t.exposeID('platform_id'),
      type: t.exposeString('platform_type'),
      name: t.exposeString('platform_name'),
      // The server name that the owner chooses in the platform's terminal.
      server: t.exposeString('client_server', { nullable: true }),
    }),
  })
  tradeInfo.implement({
    fields: (t) => ({
      floating_pnl: t.field({ type: 'Money', nullable: true, resolve: (row) => scaled(row.floating, row.currency) }),
    }),
  })
}
