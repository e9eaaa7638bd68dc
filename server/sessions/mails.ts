import { limits } from '@atrium/contract/limits.ts'
import type { Message } from '../notifications/mail.ts'
import { describeDevice } from './device.ts'
import type { Device } from './session.ts'

type Recipient = Pick<Message, 'to' | 'memberId'>

const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `place`: where it came from, as far as anybody knows. */
function describe({ userAgent, address }: Device, at: Date): string {
  const place = address ? `, from the address ${address}` : ''
  return `${describeDevice(userAgent)}${place}, on ${momentFormat.format(at)} (UTC)`
}

export function resetLinkMail(recipient: Recipient, code: string): Message {
  return {
    ...recipient,
    letter: ({ address, brand }) => ({
      subject: 'Set a new password',
      heading: 'Set a new password',
      lines: [
        `Somebody, hopefully you, asked to set a new password for your account at ${brand}.`,
        `The link works once and for ${limits.resetLinkMinutes} minutes. A newer one takes its place.`,
      ],
      action: { label: 'Set a new password', url: `${address}/reset-password/${code}` },
      footnote: 'If you did not ask for this, you need not do anything: your password stays as it is.',
    }),
  }
}

export function passwordChangedMail(
  recipient: Recipient,
  change: { how: 'reset' | 'changed'; device: Device; at: Date },
) {
  const others = change.how === 'reset' ? 'All devices have been signed out.' : 'Other devices have been signed out.'
  return {
    ...recipient,
    letter: ({ address, brand }) => ({
      subject: 'Your password was changed',
      heading: 'Your password was changed',
      lines: [`The password of your account at ${brand} was changed: ${describe(change.device, change.at)}.`, others],
      footnote: `If this was not you, set a new password at once at ${address}/forgot-password/ and tell us.`,
    }),
  } satisfies Message
}

export function newDeviceMail(recipient: Recipient, device: Device, at: Date): Message {
  return {
    ...recipient,
    letter: ({ address, brand }) => ({
      subject: 'New sign-in to your account',
      heading: 'New sign-in to your account',
      lines: [
        `Somebody signed in to your account at ${brand} with a device that it has not seen before:`,
        `${describe(device, at)}.`,
        'If this was you, all is well.',
      ],
      action: { label: 'See your devices', url: `${address}/profile` },
      footnote: `If this was not you, set a new password at once at ${address}/forgot-password/ and tell us.`,
    }),
  }
}
