/** What the staff member's role allows; the desk hides actions that the server would refuse. */
export type MemberRights = Record<
  'mayHelp' | 'mayLock' | 'mayPermit' | 'mayInvite' | 'mayChange' | 'mayReadAudit',
  boolean
>
