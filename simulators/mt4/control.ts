import type { CommonControl } from '../metatrader/control.ts'
import { findUser, isActive, metricsOf } from './accounts.ts'
import { type GroupSeed, saveGroup } from './groups.ts'
import type { CallNote, Outside } from './server.ts'
import type { TradeRow, UserRow } from './state.ts'
import type { Switches } from './world.ts'

export type LedgerRow = { order: string; login: string; cmd: number; amount: string; comment: string }
export type AccountView = {
  login: string
  group: string
  leverage: number
  balance: string
  credit: string
  equity: string
  floating: string
  positions: number
  active: boolean
}

export type AccountChange = { group?: string; leverage?: number; readOnly?: boolean }

/** Operations of tests and the demo on the platform and its bridge. */
export type Mt4Control = CommonControl<Switches, CallNote> & ReturnType<typeof ownControl>

/** In addition to the common ones (`metatrader/control.ts`). */
export function ownControl(outside: Outside) {
  const { world } = outside
  const { state } = world
  return {
    /** Balance and credit rows of a login, and its closed trades, oldest first. */
    ledger: (login: string): LedgerRow[] =>
      state
        .all<TradeRow>('select * from trades where login = ? and close_time > 0 order by ticket', Number(login))
        .map(ledgerRow),
    rowsWithComment: (prefix: string): LedgerRow[] =>
      state
        .all<TradeRow>('select * from trades where substr(comment, 1, ?) = ? order by ticket', prefix.length, prefix)
        .map(ledgerRow),
    account: (login: string): AccountView | null => viewAccount(outside, login),
    accountsOf: (group: string): string[] =>
      state
        .all<UserRow>('select * from users where group_name = ? order by login', group)
        .map((user) => String(user.login)),
    /** Removes an account, as a platform administrator would. */
    removeAccount: (login: string): void => {
      state.run('delete from trades where login = ?', Number(login))
      state.run('delete from users where login = ?', Number(login))
    },
    /** Edits an account, as a platform administrator would; absent fields stay unchanged. */
    changeAccount: (login: string, change: AccountChange): void => {
      const { group, leverage, readOnly } = change
      const sql = `update users set group_name = coalesce(?, group_name), leverage = coalesce(?, leverage),
        enable_read_only = coalesce(?, enable_read_only) where login = ?`
      state.run(sql, group ?? null, leverage ?? null, readOnly === undefined ? null : Number(readOnly), Number(login))
    },
    addGroup: (group: GroupSeed): void => saveGroup(world, group),
  }
}

function ledgerRow({ ticket, login, cmd, profit, comment }: TradeRow): LedgerRow {
  return { order: String(ticket), login: String(login), cmd, amount: profit, comment }
}

function viewAccount({ world }: Outside, login: string): AccountView | null {
  const user = findUser(world, login)
  if (user === undefined) return null
  const { equity, floating, digits, trades } = metricsOf(world, user)
  return {
    login,
    group: user.group_name,
    leverage: user.leverage,
    balance: user.balance,
    credit: user.credit,
    equity: equity.toFixed(digits),
    floating: floating.toFixed(digits),
    positions: trades.length,
    active: isActive(world, user),
  }
}
