import type { MailedNotification } from '../notifications/notify.ts'
import { kindOf, type Opening } from './opening.ts'

type Owner = { to: string; memberId: string }
/** What the platform's terminal asks for except the password, which only the owner knows. */
type SignIn = { login: string; server: string | null; isLate: boolean }

/** Sent by mail, because the member needs login and server whenever signing in to the platform. */
export function openedMail(
  { to, memberId }: Owner,
  opening: Opening,
  { login, server, isLate }: SignIn,
): MailedNotification {
  const kind = kindOf(opening)
  return {
    to,
    memberId,
    notification: {
      kind: 'account.opened',
      dedupeKey: `opening:${opening.opening_id}:opened`,
      title: kind === 'live' ? 'Your live account {{login}} was opened' : 'Your demo account {{login}} was opened',
      body: 'Its password is the one that you chose.',
      details: { login },
      target: { kind: 'account' },
    },
    letter: ({ address, brand }) => ({
      heading: `Your ${kind} account was opened`,
      lines: [
        isLate
          ? `The trading platform had not answered when you opened a ${kind} account at ${brand}. We have verified that the account was opened.`
          : `Your ${kind} account at ${brand} is open.`,
        `Its login is ${login}. Its password is the one that you chose.`,
        ...(server === null ? [] : [`The server to choose when you sign in to the platform is ${server}.`]),
      ],
      action: { label: 'See your accounts', url: `${address}/accounts` },
      footnote: 'If this was not you, contact us now.',
    }),
  }
}

export function notOpenedMail(owner: Owner, opening: Opening): MailedNotification {
  return mailWithout(owner, opening, 'We have verified that no account was opened.')
}

/** After staff ended an application, whose account may exist on a platform that cannot be asked. */
export function endedByStaffMail(owner: Owner, opening: Opening): MailedNotification {
  return mailWithout(owner, opening, 'It still does not, so we have closed your application.')
}

function mailWithout({ to, memberId }: Owner, opening: Opening, outcome: string): MailedNotification {
  const kind = kindOf(opening)
  return {
    to,
    memberId,
    notification: {
      kind: 'account.not-opened',
      title: kind === 'live' ? 'Your live account was not opened' : 'Your demo account was not opened',
      body: 'Nothing is sent again automatically. You can open one now.',
      target: { kind: 'account' },
    },
    letter: ({ address, brand }) => ({
      heading: `Your ${kind} account was not opened`,
      lines: [
        `The trading platform had not answered when you opened a ${kind} account at ${brand}. ${outcome}`,
        'Nothing is sent again automatically. You can open one now.',
      ],
      action: { label: 'Open an account', url: `${address}/accounts/open-${kind}-account` },
      footnote: 'If this was not you, contact us now.',
    }),
  }
}
