import type { ErrorCode } from '@atrium/contract/error-codes.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { platformsFor } from './opening-draft.ts'
import type { TradingConfiguration } from './use-trading-configuration.ts'

/** Why a member sees no form. The server decides; this only spares them from filling in what it would refuse. */
export type Block = 'disabled' | 'no-groups' | 'kyc' | 'limit'

type Known = {
  documents_status: string
  accounts_live_count: number
  accounts_demo_count: number
}

export function blockOf(configuration: TradingConfiguration, kind: AccountKind, member: Known): Block | null {
  const rule = configuration[`acc_creation_${kind}_configuration`]
  if (!rule.enabled) return 'disabled'
  if (platformsFor(configuration, kind).length === 0) return 'no-groups'
  if (rule.require_kyc && member.documents_status !== 'approved') return 'kyc'
  const count = kind === 'live' ? member.accounts_live_count : member.accounts_demo_count
  const isLimited = rule.account_limit !== limits.accountsUnlimited
  return isLimited && count >= rule.account_limit ? 'limit' : null
}

/** What the server refused with, where it knows something that this page did not. */
export const blockOfRefusal: Partial<Record<ErrorCode | string, Block>> = {
  opening_disabled: 'disabled',
  kyc_required: 'kyc',
  account_limit_reached: 'limit',
}
