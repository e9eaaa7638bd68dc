import type { AccountDetail } from './use-account.ts'

type Ruled = Pick<
  AccountDetail,
  'live_account' | 'enable_read_only' | 'enable_change_password' | 'deleted' | 'archived'
>

export type AccountActions = { deposit: boolean; withdraw: boolean; password: boolean; complaint: boolean }

/**
 * What may be done from an account's page. A read-only account offers nothing; one that is closed, or gone from its
 * platform, takes no money and has no password, and can still be complained about.
 */
export function actionsOf(account: Ruled, open: { deposit: boolean; withdraw: boolean }): AccountActions {
  if (account.enable_read_only) return { deposit: false, withdraw: false, password: false, complaint: false }
  const stands = !account.deleted && !account.archived
  return {
    deposit: stands && open.deposit,
    withdraw: stands && open.withdraw,
    password: stands && account.enable_change_password,
    complaint: true,
  }
}
