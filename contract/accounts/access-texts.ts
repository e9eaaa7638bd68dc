/** Messages about setting an account's access. */
export const accessTexts = {
  unusable: 'This account is archived or deleted, so its access cannot be set.',
  otherAccount: 'The platform gave this number to another account, so its access cannot be set.',
  underWay: 'Somebody else is changing this account. Please check it again in a moment.',
  changed: 'The access of this account has changed since you opened it. Please check it again.',
  notSet: 'The platform did not accept the change. The account is unchanged.',
  unknown:
    'The platform did not confirm the change. Check the account on the platform, then set it again: repeating it is safe.',
} as const
