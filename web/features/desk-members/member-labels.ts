import {
  type Features,
  isFeatureOn,
  isPermitted,
  type MemberType,
  memberPermissions,
  type Scope,
  type ScopeRule,
  scopes,
} from '@atrium/contract/access/scopes.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'

export const accountLabels = {
  live: 'With live accounts',
  demo: 'With demo accounts',
  none: 'Without accounts',
} as const
export const orderLabels = { newest: 'Newest first', oldest: 'Oldest first', name: 'By last name' } as const

export const typeLabels: Record<MemberType, string> = knownOr(otherLabel, {
  client: 'Client',
  sales_person: 'Sales person',
})

/** What each permission allows, in everyday words. */
const permissionLabels = new Map(
  Object.entries({
    dashboard: 'See the dashboard',
    my_accounts: 'See and open trading accounts',
    deposit: 'Deposit',
    withdraw: 'Withdraw',
    transactions: 'See transactions',
    'bank-accounts': 'Manage bank accounts',
    'other-accounts': 'Manage crypto and wallet accounts',
    downloads: 'Download platforms',
    support: 'Contact support',
    requests: 'Send requests',
    documents: 'Upload documents',
  }),
)
/** A permission unknown to this build shows its own name. */
export const permissionLabel = (key: string): string => permissionLabels.get(key) ?? key

export const deniedIn = (permissions: readonly string[]): string[] =>
  memberPermissions.filter((key) => permissions.includes(`${key}-`))

export type Reach = 'open' | 'denied' | 'off'

/** The effect of each permission for this member: `off` by a disabled feature, `denied` by the member's permissions. */
export function reachOf(key: string, denied: readonly string[], features: Features): Reach {
  const held = [...memberPermissions, ...denied.map((each) => `${each}-`)]
  const mine = (Object.keys(scopes) as Scope[]).filter((scope) => {
    const rule: ScopeRule = scopes[scope]
    return [rule.permission ?? []].flat().includes(key)
  })
  if (mine.length > 0 && !mine.some((scope) => isFeatureOn(scope, features))) return 'off'
  return mine.some((scope) => isPermitted(scope, held)) ? 'open' : 'denied'
}
