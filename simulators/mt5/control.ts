import type { CommonControl } from '../metatrader/control.ts'
import { metricsOf } from './account-metrics.ts'
import { type GroupSeed, saveGroup } from './groups.ts'
import type { CallNote, Outside } from './server.ts'
import type { DealRow } from './state.ts'
import { dealRecord } from './trading.ts'
import { findUser, isActive, usersOfGroups } from './users.ts'
import type { Switches } from './world.ts'

export type LedgerDeal = {
  deal: string
  login: string
  action: number
  amount: string
  comment: string
  /** Milliseconds in platform time. */
  timeMsc: number
}
export type AccountView = {
  login: string
  group: string
  rights: string
  leverage: number
  balance: string
  credit: string
  equity: string
  floating: string
  positions: number
  active: boolean
}

export type AccountChange = { group?: string; leverage?: number; rights?: string }

/** Operations of tests and the demo on the platform. */
export type Mt5Control = CommonControl<Switches, CallNote> & ReturnType<typeof ownControl>

/** In addition to the common ones (`metatrader/control.ts`). */
export function ownControl(outside: Outside) {
  const { world } = outside
  return {
    /** Every deal of a login, oldest first. */
    ledger: (login: string): LedgerDeal[] =>
      ledgerDeals(world.state.all<DealRow>('select * from deals where login = ? order by deal', Number(login))),
    dealsWithComment: (prefix: string): LedgerDeal[] =>
      ledgerDeals(
        world.state.all<DealRow>(
          'select * from deals where substr(comment, 1, ?) = ? order by deal',
          prefix.length,
          prefix,
        ),
      ),
    account: (login: string): AccountView | null => viewAccount(outside, login),
    /** The logins of a group, or of masks such as `real\\*`. */
    accountsOf: (groups: string): string[] => usersOfGroups(world, groups).map((user) => String(user.login)),
    /** Removes an account, as a platform administrator would. */
    removeAccount: (login: string): void => {
      for (const table of ['deals', 'orders', 'positions', 'users']) {
        world.state.run(`delete from ${table} where login = ?`, Number(login))
      }
    },
    /** Edits an account, as a platform administrator would; absent fields stay unchanged. */
    changeAccount: (login: string, change: AccountChange): void => {
      const { group, leverage, rights } = change
      const sql = `update users set group_name = coalesce(?, group_name), leverage = coalesce(?, leverage),
        rights = coalesce(?, rights) where login = ?`
      world.state.run(sql, group ?? null, leverage ?? null, rights ?? null, Number(login))
    },
    addGroup: (group: GroupSeed): void => saveGroup(world, group),
    /** Only one without accounts. */
    removeGroup: (name: string): void => {
      world.state.run('delete from groups where name = ?', name)
    },
    /** Changes a deal's comment, as a platform administrator would. */
    recomment: (deal: string, comment: string): void => {
      world.state.run('update deals set comment = ? where deal = ?', comment, Number(deal))
    },
    /** Deletes a deal, as a platform administrator would. */
    removeDeal: (deal: string): void => {
      world.state.run('delete from deals where deal = ?', Number(deal))
    },
  }

  function ledgerDeals(rows: DealRow[]): LedgerDeal[] {
    return rows.map((row) => {
      const record = dealRecord(world, row)
      const { deal, login, action, comment, time_msc: timeMsc } = row
      return {
        deal: String(deal),
        login: String(login),
        action,
        amount: record.Profit ?? '',
        comment,
        timeMsc,
      }
    })
  }
}

function viewAccount({ world }: Outside, login: string): AccountView | null {
  const user = findUser(world, login)
  if (user === undefined) return null
  const metrics = metricsOf(world, user)
  return {
    login,
    group: user.group_name,
    rights: user.rights,
    leverage: user.leverage,
    balance: user.balance,
    credit: user.credit,
    equity: metrics.equity.toFixed(metrics.digits),
    floating: metrics.floating.toFixed(metrics.digits),
    positions: metrics.positions.length,
    active: isActive(world, user),
  }
}
