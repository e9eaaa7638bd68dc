import { type Feature, features } from '@atrium/contract/access/scopes.ts'
import type { readRecentEquity as RecentEquity } from '@atrium/contract/accounts/calls.ts'
import type { AccountMetricsEvent, LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import type { CallAnswer } from '@atrium/contract/call.ts'
import type { BellEvent } from '@atrium/contract/notifications/calls.ts'
import type { reportActivity as Activity, readPermissions as Permissions } from '@atrium/contract/sessions/calls.ts'
import type { readSettings as SettingsCall } from '@atrium/contract/workspace-settings/calls.ts'
import {
  checkedCall,
  isFlag,
  isLeftOutOr,
  isListOf,
  isMade,
  isNullOr,
  isNumber,
  isOneOf,
  isText,
} from './answer-checks.ts'

/**
 * The calls of the first screens. Only screens with forms load the schema library, so these answers are typed by the contract and
 * checked by hand; `first-calls.test.ts` verifies that both agree.
 */
const isOk = isOneOf('ok')
const flags = Object.fromEntries(features.map((feature) => [feature, isFlag])) as Record<Feature, typeof isFlag>

export const readSettings = checkedCall<typeof SettingsCall>(
  { method: 'GET', path: '/members/crm-settings' },
  isMade({
    status: isOk,
    settings: isMade({
      brand: isMade({ name: isText, accent: isText, logo_url: isNullOr(isText), support_email: isNullOr(isText) }),
      features: isMade(flags),
      default_currency: isText,
      vendors: isListOf(isText),
      vendor: isNullOr(isText),
      departments: isListOf(isText),
      password_chars_max: isNumber,
      bank_name_chars_max: isLeftOutOr(isNumber),
      time_zone: isLeftOutOr(isText),
      account_openings: isLeftOutOr(isMade({ live: isFlag, demo: isFlag })),
      demo: isFlag,
    }),
  }),
)

export type Settings = CallAnswer<typeof readSettings>['settings']

export const readPermissions = checkedCall<typeof Permissions>(
  { method: 'GET', path: '/user/permissions' },
  isMade({ status: isOk, permissions: isListOf(isText), code: isNumber }),
)

export const readRecentEquity = checkedCall<typeof RecentEquity>(
  { method: 'GET', path: '/members/trading/recent-equity' },
  isMade({
    status: isOk,
    from: isNumber,
    to: isNumber,
    accounts: isListOf(
      isMade({
        _id: isText,
        points: isListOf(isMade({ at: isNumber, equity: isText })),
        day_equity: isLeftOutOr(isNullOr(isText)),
      }),
    ),
  }),
)

export const reportActivity = checkedCall<typeof Activity>(
  { method: 'POST', path: '/members/activity' },
  isMade({ status: isOk }),
)

/** Paths that are not called through `checkedCall`. */
export const paths = {
  signOut: '/users/logout',
  watchAccountMetrics: '/members/trading/live',
  watchNotifications: '/members/notices/live',
} as const

export const isBell = isMade<BellEvent>({ unread: isNumber, number: isNumber })

/** The subject of a notification on the stream; its text is read where it is displayed. */
export const isNotificationOfTarget = isMade<{ target: { kind: string } }>({ target: isMade({ kind: isText }) })

const amount = isNullOr(isText)
const isLiveAccount = isMade<LiveAccount>({
  _id: isText,
  balance: amount,
  equity: amount,
  credit: amount,
  floating_pnl: amount,
  margin: amount,
  margin_free: amount,
  margin_level: amount,
  leverage: isNumber,
  balance_as_of: isNullOr(isNumber),
  balance_is_live: isFlag,
})
export const isAccountMetrics = isMade<AccountMetricsEvent>({
  accounts: isListOf(isLiveAccount),
  gone: isListOf(isText),
})

/** The last event of a stream that the server ends; `code` is the reason. */
export const isEnd = isMade<{ code: string }>({ code: isText })
