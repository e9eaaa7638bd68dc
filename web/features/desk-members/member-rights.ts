/** What the role of the one who looks allows; what the server would refuse anyway is not offered. */
export type MemberRights = Record<
  'mayHelp' | 'mayLock' | 'mayPermit' | 'mayInvite' | 'mayChange' | 'mayReadAudit',
  boolean
>
