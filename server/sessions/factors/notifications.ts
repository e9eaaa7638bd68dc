import type { NotificationKind } from '@atrium/contract/notifications/calls.ts'
import { notYou, notYouAt } from '../../notifications/footnotes.ts'
import type { MailedNotification } from '../../notifications/notify.ts'
import { writtenMoment } from '../../notifications/written-time.ts'
import type { Kind } from '../person.ts'

export type FactorOwner = Pick<MailedNotification, 'to' | 'memberId'> & { kind: Kind }
export type FactorName = 'totp' | 'passkey'

const labels: Record<FactorName, string> = { totp: 'An authenticator app', passkey: 'A passkey' }

type News = { notificationKind: NotificationKind; heading: string; lines: (brand: string) => string[]; at: Date }

/** Mails the owner every change of a second factor, so that an intruder cannot hide one. */
function newsOf(
  { kind, to, memberId }: FactorOwner,
  { notificationKind, heading, lines, at }: News,
): MailedNotification {
  return {
    to,
    memberId,
    notification: { kind: notificationKind, title: heading, body: notYou, target: { kind: 'security' } },
    letter: ({ address, brand }) => ({
      heading,
      lines: [...lines(brand), `When: ${writtenMoment(at)}.`],
      action: {
        label: 'See your security settings',
        url: `${address}${kind === 'member' ? '/profile' : '/desk/security'}`,
      },
      footnote: kind === 'member' ? notYouAt(address) : 'If this was not you, inform an administrator at once.',
    }),
  }
}

export function factorAddedMail(owner: FactorOwner, factor: FactorName, at: Date): MailedNotification {
  const lines = (brand: string) => [
    `${labels[factor]} was added to your account at ${brand}. You need it when you sign in.`,
  ]
  return newsOf(owner, { notificationKind: 'second-factor.added', heading: 'A second factor was added', lines, at })
}

export function factorRemovedMail(owner: FactorOwner, factor: FactorName, at: Date): MailedNotification {
  const lines = (brand: string) => [`${labels[factor]} was removed from your account at ${brand}.`]
  return newsOf(owner, { notificationKind: 'second-factor.removed', heading: 'A second factor was removed', lines, at })
}

/** `by`: the name shown for the actor, e.g. `Our staff`. */
export function factorsResetMail(owner: FactorOwner, by: string, at: Date): MailedNotification {
  const lines = (brand: string) => [
    `${by} removed the second factors of your account at ${brand}. You have been signed out everywhere.`,
    'Your password alone is enough for the next sign-in. Please set up a second factor again then.',
  ]
  return newsOf(owner, {
    notificationKind: 'second-factor.removed',
    heading: 'Your second factors were removed',
    lines,
    at,
  })
}

export function recoveryCodeUsedMail(owner: FactorOwner, left: number, at: Date): MailedNotification {
  const lines = (brand: string) => [
    `A recovery code of your account at ${brand} was used. It does not work again.`,
    left === 1 ? 'One code is left.' : `${left} codes are left.`,
  ]
  return newsOf(owner, { notificationKind: 'recovery-code.used', heading: 'A recovery code was used', lines, at })
}

export function recoveryCodesRenewedMail(owner: FactorOwner, at: Date): MailedNotification {
  const lines = (brand: string) => [`Your account at ${brand} has new recovery codes. The old ones no longer work.`]
  return newsOf(owner, {
    notificationKind: 'recovery-codes.renewed',
    heading: 'You have new recovery codes',
    lines,
    at,
  })
}
