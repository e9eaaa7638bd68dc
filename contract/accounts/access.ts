/** The access that staff set for an account, on its platform and in the portal. */
export const accountAccesses = ['full', 'read_only', 'disabled'] as const
export type AccountAccess = (typeof accountAccesses)[number]

/** The owner's notification after a change. */
export const accessNotifications: Record<AccountAccess, { title: string; body: string }> = {
  full: {
    title: 'Your trading account {{login}} has full access again',
    body: 'You can sign in to the platform and trade.',
  },
  read_only: {
    title: 'Your trading account {{login}} is read-only',
    body: 'You can sign in to the platform and see your positions, but not trade. Deposits and withdrawals are closed meanwhile.',
  },
  disabled: {
    title: 'Your trading account {{login}} is disabled',
    body: 'Nobody can sign in to the platform with it or trade on it. Deposits and withdrawals are closed meanwhile.',
  },
}

/** Derives the access from the portal's columns. */
export function accessOf({ status, enable_read_only }: { status: string; enable_read_only: boolean }): AccountAccess {
  if (status === 'disabled') return 'disabled'
  return enable_read_only ? 'read_only' : 'full'
}
