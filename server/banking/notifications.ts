import { notYouAt } from '../notifications/footnotes.ts'
import type { MailedNotification } from '../notifications/notify.ts'
import { writtenMoment } from '../notifications/written-time.ts'

export type BeneficiaryMail = {
  to: string
  memberId: string
  kind: 'bank_account' | 'fund_account'
  what: 'added' | 'changed' | 'removed'
  /** E.g. `Members Bank, EUR, ending in 3000`. */
  name: string
  at: Date
  usableFrom: Date
}

const labels = { bank_account: 'bank account', fund_account: 'other account' }
const placeOf = { bank_account: '/funds/bank-accounts', fund_account: '/funds/other-accounts' }

/** Notifies the owner of every change, so that an intruder cannot hide one. */
export function beneficiaryMail({
  to,
  memberId,
  kind,
  what,
  name,
  at,
  usableFrom,
}: BeneficiaryMail): MailedNotification {
  const label = labels[kind]
  const article = kind === 'bank_account' ? 'A' : 'An'
  const heading = `${article} ${label} was ${what}`
  const rest =
    what !== 'removed' && usableFrom > at
      ? [`You can withdraw to it after the cooling-off period, from ${writtenMoment(usableFrom)}.`]
      : []
  return {
    to,
    memberId,
    notification: {
      kind: `destination.${what}`,
      title: heading,
      body: '{{name}}. If this was not you, change your password now and contact us.',
      details: { name },
      target: { kind },
    },
    letter: ({ address, brand }) => ({
      heading,
      lines: [`${heading} on your account at ${brand}: ${name}.`, ...rest, `When: ${writtenMoment(at)}.`],
      action: { label: `See your ${label}s`, url: `${address}${placeOf[kind]}` },
      footnote: notYouAt(address),
    }),
  }
}

/** The last four characters, by code point: the owner recognises the number, and nobody else can use it. */
export const endingOf = (number: string): string => `ending in ${Array.from(number).slice(-4).join('')}`
