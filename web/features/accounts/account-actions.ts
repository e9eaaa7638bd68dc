import type { AccountDetail } from './use-account.ts'

type Ruled = Pick<
  AccountDetail,
  'live_account' | 'enable_read_only' | 'enable_change_password' | 'deleted' | 'archived'
>

export type AccountActions = { deposit: boolean; withdraw: boolean; password: boolean; complaint: boolean }

/**
 * The actions on an account's page. A read-only account offers none; a closed account, or one missing from its platform,
 * offers only the complaint.
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
