import type { MemberDetails, RequestedDetails } from '@atrium/contract/members/details.ts'
import type { Message } from '../notifications/mail.ts'
import type { MailedNotification } from '../notifications/notify.ts'

type Envelope = { to: string; memberId: string }
type Changed = { changes: RequestedDetails; after: MemberDetails; holdHours: number | null }

const notYou = 'If you did not request this, contact us at once.'

const ofHold = (hours: number | null): string[] =>
  hours === null ? [] : [`For your security, withdrawals are held for ${hours} hours.`]

function titleOf({ email, ...name }: RequestedDetails): string {
  if (email === undefined) return 'Your name was changed'
  return Object.keys(name).length === 0 ? 'Your email was changed' : 'Your name and email were changed'
}

export function detailsChangedMail(envelope: Envelope, { changes, after, holdHours }: Changed): MailedNotification {
  const title = titleOf(changes)
  const isNamed = changes.first_name !== undefined || changes.last_name !== undefined
  return {
    ...envelope,
    notification: { kind: 'details.changed', title, body: notYou, target: { kind: 'security' } },
    letter: ({ address, brand }) => ({
      heading: title,
      lines: [
        ...(isNamed ? [`Your legal name at ${brand} is now: ${after.first_name} ${after.last_name}.`] : []),
        ...(changes.email === undefined ? [] : [`You sign in to ${brand} with ${after.email} from now on.`]),
        'All devices have been signed out.',
        ...ofHold(holdHours),
      ],
      action: { label: 'Sign in', url: `${address}/login` },
      footnote: notYou,
    }),
  }
}

export function phoneChangedMail(envelope: Envelope, holdHours: number | null): MailedNotification {
  const title = 'Your phone number was changed'
  return {
    ...envelope,
    notification: { kind: 'details.changed', title, body: notYou, target: { kind: 'security' } },
    letter: ({ brand }) => ({
      heading: title,
      lines: [`The phone numbers of your account at ${brand} were changed.`, ...ofHold(holdHours)],
      footnote: notYou,
    }),
  }
}

/** Enough for the owner to recognise the address, and useless to a reader of an abandoned mailbox. */
function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0] ?? ''}…${email.slice(at)}`
}

export function formerAddressMail(envelope: Envelope, email: string, holdHours: number | null): Message {
  return {
    ...envelope,
    keepsRecipient: true,
    letter: ({ brand }) => ({
      heading: 'Your email was changed',
      lines: [
        `The email of your account at ${brand} was changed to ${masked(email)}. This address no longer signs in.`,
        'All devices have been signed out.',
        ...ofHold(holdHours),
      ],
      footnote: notYou,
    }),
  }
}
