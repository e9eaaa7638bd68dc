import type { Message } from '../notifications/mail.ts'
import type { Kind } from './person.ts'

export type FactorOwner = Pick<Message, 'to' | 'memberId'> & { kind: Kind }
export type FactorName = 'totp' | 'passkey'

const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const momentOf = (at: Date): string => `${momentFormat.format(at)} (UTC)`

const wordsOf: Record<FactorName, string> = { totp: 'An authenticator app', passkey: 'A passkey' }

type Told = { heading: string; lines: (brand: string) => string[]; at: Date }

/** Every change of a second factor is told to its owner: whoever else made it cannot keep it quiet. */
function tell({ kind, to, memberId }: FactorOwner, { heading, lines, at }: Told): Message {
  return {
    to,
    memberId,
    letter: ({ address, brand }) => ({
      subject: heading,
      heading,
      lines: [...lines(brand), `When: ${momentOf(at)}.`],
      action: {
        label: 'See your security settings',
        url: `${address}${kind === 'member' ? '/profile' : '/desk/security'}`,
      },
      footnote:
        kind === 'member'
          ? `If this was not you, set a new password at once at ${address}/forgot-password/ and tell us.`
          : 'If this was not you, tell an administrator at once.',
    }),
  }
}

export function factorAddedMail(owner: FactorOwner, factor: FactorName, at: Date): Message {
  const lines = (brand: string) => [
    `${wordsOf[factor]} was added to your account at ${brand}. It is asked for when you sign in.`,
  ]
  return tell(owner, { heading: 'A second factor was added', lines, at })
}

export function factorRemovedMail(owner: FactorOwner, factor: FactorName, at: Date): Message {
  const lines = (brand: string) => [`${wordsOf[factor]} was removed from your account at ${brand}.`]
  return tell(owner, { heading: 'A second factor was removed', lines, at })
}

/** `by`: words for who did it, e.g. `Our staff`. */
export function factorsResetMail(owner: FactorOwner, by: string, at: Date): Message {
  const lines = (brand: string) => [
    `${by} removed the second factors of your account at ${brand}. You have been signed out everywhere.`,
    'The next sign-in is by your password alone. Set up a second factor again then.',
  ]
  return tell(owner, { heading: 'Your second factors were removed', lines, at })
}

export function recoveryCodeUsedMail(owner: FactorOwner, left: number, at: Date): Message {
  const lines = (brand: string) => [
    `A recovery code of your account at ${brand} was used. It does not work again.`,
    left === 1 ? 'One code is left.' : `${left} codes are left.`,
  ]
  return tell(owner, { heading: 'A recovery code was used', lines, at })
}

export function recoveryCodesRenewedMail(owner: FactorOwner, at: Date): Message {
  const lines = (brand: string) => [`Your account at ${brand} has new recovery codes. The old ones no longer work.`]
  return tell(owner, { heading: 'Your recovery codes were renewed', lines, at })
}
