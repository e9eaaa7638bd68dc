/** How far an account is in use; closed is what its platform no longer has. */
export const deskAccountStates = ['open', 'archived', 'closed'] as const
export const deskAccountOrders = ['newest', 'oldest', 'login'] as const
