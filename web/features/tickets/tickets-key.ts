/** The prefix of every query key about tickets: a notification about one invalidates them all. */
export const ticketsKey = ['tickets'] as const
