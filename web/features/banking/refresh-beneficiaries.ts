import type { QueryClient } from '@tanstack/react-query'

/** Other screens show the same accounts: the profile, the choices of forms, and a count on the dashboard. */
const listsWithThem = [
  ['bank-accounts'],
  ['other-accounts'],
  ['transfer-banks'],
  ['withdrawal-destinations'],
  ['forms', 'own-banks'],
  ['profile'],
  ['dashboard'],
] as const

export function refreshBeneficiaries(queries: QueryClient): Promise<unknown> {
  return Promise.all(listsWithThem.map((queryKey) => queries.invalidateQueries({ queryKey })))
}
