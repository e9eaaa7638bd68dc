import { limits } from '@atrium/contract/limits.ts'
import { notYou, notYouAt } from '../notifications/footnotes.ts'
import type { Message } from '../notifications/mail.ts'
import type { MailedNotification } from '../notifications/notify.ts'
import { writtenMoment } from '../notifications/written-time.ts'
import { describeDevice } from './device.ts'
import { memberIdOf, type PersonKey } from './person.ts'
import type { Device } from './session.ts'

type Recipient = PersonKey & { email: string }

const envelopeOf = (recipient: Recipient) => ({ to: recipient.email, memberId: memberIdOf(recipient) })

/** Where a person sets a password: members in the portal, staff at the desk. */
const audiences = {
  member: { account: 'your account at', reset: '/reset-password/', forgot: '/forgot-password/' },
  staff: { account: 'your desk account at', reset: '/desk/reset-password/', forgot: '/desk/forgot-password' },
}

/** Adds the address of origin, where known. */
function describe({ userAgent, address }: Device, at: Date): string {
  const place = address ? `, from the address ${address}` : ''
  return `${describeDevice(userAgent)}${place}, on ${writtenMoment(at)}`
}

const links = {
  reset: {
    label: 'Set a new password',
    footnote: 'If you did not request this, no action is needed: your password stays the same.',
  },
  invitation: {
    label: 'Set a password',
    footnote: 'If you did not expect this, no action is needed: nobody else can sign in with it.',
  },
}
const invitationStart = `Set a password to start. The link works once and for ${limits.invitationDays} days. A newer link replaces it.`

type Words = (brand: string) => { heading: string; lines: string[] }

/** A mail with a link that sets a password. */
function linkMail(recipient: Recipient, code: string, use: keyof typeof links, words: Words): Message {
  const { label, footnote } = links[use]
  const path = `${audiences[recipient.kind].reset}${code}`
  return {
    ...envelopeOf(recipient),
    hasLink: true,
    letter: ({ address, brand }) => ({ ...words(brand), action: { label, url: `${address}${path}` }, footnote }),
  }
}

export function resetLinkMail(recipient: Recipient, code: string): Message {
  return linkMail(recipient, code, 'reset', (brand) => ({
    heading: 'Set a new password',
    lines: [
      `We received a request to set a new password for ${audiences[recipient.kind].account} ${brand}.`,
      `The link works once and for ${limits.resetLinkMinutes} minutes.`,
    ],
  }))
}

/** The reset link, sent by staff on request. */
export function helpedResetMail(recipient: Recipient, code: string): Message {
  return linkMail(recipient, code, 'reset', (brand) => ({
    heading: 'Set a new password',
    lines: [
      `You asked the team of ${brand} for help with signing in. Set a new password here.`,
      `The link works once and for ${limits.resetLinkMinutes} minutes. Nobody at ${brand} can see it or your password.`,
    ],
  }))
}

export function invitationMail(recipient: Recipient, code: string, invitation: { by: string; role: string }): Message {
  return linkMail(recipient, code, 'invitation', (brand) => ({
    heading: `Your access to the desk of ${brand}`,
    lines: [
      `${invitation.by} has invited you to the desk of ${brand}, the workplace of its staff. Your role there: ${invitation.role}.`,
      invitationStart,
    ],
  }))
}

export function memberInvitationMail(recipient: Recipient, code: string): Message {
  return linkMail(recipient, code, 'invitation', (brand) => ({
    heading: `Your account at ${brand}`,
    lines: [`${brand} has opened a portal account for you. You sign in with ${recipient.email}.`, invitationStart],
  }))
}

export function signInLockedMail(recipient: Recipient): MailedNotification {
  return {
    ...envelopeOf(recipient),
    notification: {
      kind: 'sign-in.locked',
      title: 'Your sign-in was locked',
      body: 'All your devices were signed out. Your money and your documents are not affected.',
      target: { kind: 'security' },
    },
    letter: ({ brand }) => ({
      heading: 'Your sign-in has been locked',
      lines: [
        `The team of ${brand} has locked the sign-in to your account. All your devices have been signed out.`,
        'Your accounts, your money and your documents are not affected.',
      ],
      footnote: 'Please contact us if you do not know why.',
    }),
  }
}

export function signInUnlockedMail(recipient: Recipient): MailedNotification {
  return {
    ...envelopeOf(recipient),
    notification: {
      kind: 'sign-in.unlocked',
      title: 'You can sign in again',
      body: 'Your password is still the same.',
      target: { kind: 'security' },
    },
    letter: ({ address, brand }) => ({
      heading: 'You can sign in again',
      lines: [`The team of ${brand} has unlocked the sign-in to your account. Your password is still the same.`],
      action: { label: 'Sign in', url: `${address}/login` },
      footnote: `If you have forgotten your password, set a new one at ${address}/forgot-password/.`,
    }),
  }
}

export function passwordChangedMail(
  recipient: Recipient,
  change: { how: 'reset' | 'changed'; device: Device; at: Date },
) {
  const others = change.how === 'reset' ? 'All devices have been signed out.' : 'Other devices have been signed out.'
  const audience = audiences[recipient.kind]
  return {
    ...envelopeOf(recipient),
    notification: {
      kind: 'password.changed',
      title: 'Your password was changed',
      body: notYou,
      target: { kind: 'security' },
    },
    letter: ({ address, brand }) => ({
      heading: 'Your password was changed',
      lines: [
        `The password of ${audience.account} ${brand} was changed: ${describe(change.device, change.at)}.`,
        others,
      ],
      footnote: notYouAt(address, audience.forgot),
    }),
  } satisfies MailedNotification
}

export function newDeviceMail(recipient: Recipient, device: Device, at: Date): MailedNotification {
  const isMember = recipient.kind === 'member'
  return {
    ...envelopeOf(recipient),
    notification: {
      kind: 'device.appeared',
      title: 'New sign-in to your account',
      body: '{{device}}. If this was not you, change your password now and contact us.',
      details: { device: describeDevice(device.userAgent) },
      target: { kind: 'security' },
    },
    letter: ({ address, brand }) => ({
      heading: 'New sign-in to your account',
      lines: [
        `There was a sign-in to ${audiences[recipient.kind].account} ${brand} from a new device:`,
        `${describe(device, at)}.`,
        'If this was you, no action is needed.',
      ],
      action: isMember
        ? { label: 'See your devices', url: `${address}/profile` }
        : { label: 'See your security settings', url: `${address}/desk/security` },
      footnote: isMember
        ? notYouAt(address)
        : 'If this was not you, change your password and inform an administrator at once.',
    }),
  }
}
