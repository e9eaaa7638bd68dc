/** States of an account; `closed` means that the platform no longer has it. */
export const deskAccountStates = ['open', 'archived', 'closed'] as const
export const deskAccountOrders = ['newest', 'oldest', 'login'] as const
