import { platformPasswordRules, tradingPasswordRules } from '@atrium/contract/accounts/trading-passwords.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import type { PasswordRule } from '@atrium/contract/sessions/passwords.ts'
import { texts } from '@atrium/contract/texts.ts'
import { type Errors, fieldsBy } from '../../api/form-errors.ts'
import type { TradingConfiguration } from './use-trading-configuration.ts'

export type OfferedPlatform = TradingConfiguration['platforms'][number]

/** The values of the form. */
export type OpeningDraft = {
  platformId: string | null
  group: string | null
  leverage: number | null
  password: string
  confirmation: string
}

/** In page order, so that the first invalid field gets the focus. */
export const openingLabels = {
  platform: 'Platform',
  group: 'Group',
  leverage: 'Leverage',
  password: 'Password',
  confirmation: 'Confirm password',
}
export type OpeningField = keyof typeof openingLabels

/** The platforms that offer accounts of this kind, each with its groups for it. */
export function platformsFor(configuration: TradingConfiguration, kind: AccountKind): OfferedPlatform[] {
  return configuration.platforms
    .map((platform) => ({ ...platform, groups: platform.groups.filter((group) => isFor(group, kind)) }))
    .filter(({ groups }) => groups.length > 0)
}

const isFor = (group: { name: string; kind: AccountKind }, kind: AccountKind): boolean =>
  group.kind === kind && group.name.toLowerCase() !== limits.groupNeverOffered

/** The initial values: the first platform, its group if it has only one, and the first leverage. */
export function firstDraft(platforms: OfferedPlatform[], leverage: readonly number[]): OpeningDraft {
  const [platform] = platforms
  return { ...choicesOf(platform), leverage: leverage[0] ?? null, password: '', confirmation: '' }
}

/** Groups belong to a platform, so another platform resets the group. */
export function choicesOf(platform: OfferedPlatform | undefined): Pick<OpeningDraft, 'platformId' | 'group'> {
  const [only, ...others] = platform?.groups ?? []
  return { platformId: platform?.id ?? null, group: others.length === 0 ? (only?.name ?? null) : null }
}

/** Our own rules, then the chosen platform's. */
export function rulesFor(platform: OfferedPlatform | undefined): PasswordRule[] {
  const policy = platform?.password_policy
  return [...tradingPasswordRules, ...(policy ? platformPasswordRules(policy) : [])]
}

/** The errors of every invalid field; the server checks again. */
export function checkDraft(draft: OpeningDraft, platform: OfferedPlatform | undefined): Errors<OpeningField> {
  const broken = rulesFor(platform)
    .filter(({ holds }) => !holds(draft.password))
    .map(({ text }) => text)
  const errors: Errors<OpeningField> = {}
  if (!platform) errors.platform = [openingTexts.openingPlatformUnknown]
  if (draft.group === null) errors.group = [openingTexts.openingGroupMissing]
  if (draft.leverage === null) errors.leverage = [openingTexts.openingLeverageMissing]
  if (draft.password === '') errors.password = [openingTexts.openingPasswordMissing]
  else if (broken.length > 0) errors.password = broken
  // With both empty, only the password is reported.
  if (draft.confirmation !== draft.password) errors.confirmation = [texts.passwordConfirmation]
  return errors
}

export function toBody({ platformId, group, leverage, password }: OpeningDraft) {
  return {
    initial_deposit: 0 as const,
    main_password: password,
    trading_platform: platformId ?? '',
    group: group ?? '',
    leverage: leverage ?? 0,
  }
}

export const openingFieldFor = fieldsBy(openingLabels, { trading_platform: 'platform', main_password: 'password' })
