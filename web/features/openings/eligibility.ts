import type { ErrorCode } from '@atrium/contract/error-codes.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { platformsFor } from './opening-draft.ts'
import type { TradingConfiguration } from './use-trading-configuration.ts'

/** Why the form is hidden. The server decides; this spares the member a form that it would refuse. */
export type Block = 'disabled' | 'no-groups' | 'kyc' | 'limit'

type Known = {
  documents_status: string
  accounts_live_count: number
  accounts_demo_count: number
  /** Without archived accounts, which the other two include. */
  counted?: Record<AccountKind, number> | undefined
}

export function blockOf(configuration: TradingConfiguration, kind: AccountKind, member: Known): Block | null {
  const rule = configuration[`acc_creation_${kind}_configuration`]
  if (!rule.enabled) return 'disabled'
  if (platformsFor(configuration, kind).length === 0) return 'no-groups'
  if (rule.require_kyc && member.documents_status !== 'approved') return 'kyc'
  const count = member.counted?.[kind] ?? (kind === 'live' ? member.accounts_live_count : member.accounts_demo_count)
  const isLimited = rule.account_limit !== limits.accountsUnlimited
  return isLimited && count >= rule.account_limit ? 'limit' : null
}

/** Blocks by the server's error code, for facts that this page did not know. */
export const blockOfRefusal: Partial<Record<ErrorCode | string, Block>> = {
  opening_disabled: 'disabled',
  kyc_required: 'kyc',
  account_limit_reached: 'limit',
}
