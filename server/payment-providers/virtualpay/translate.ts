import { createHash, createHmac } from 'node:crypto'
import { type OrderToStart, PaymentProblem } from '../contract.ts'
import { countryInThreeLetters } from '../country-codes.ts'
import type { Coverage } from '../coverage.ts'
import { amountIn, amountShape, currencyShape, cut, type Fields, nameShape } from '../messages.ts'
import { fromMinorUnits, toMinorUnits } from '../minor-units.ts'
import { isSameSignature } from '../signing.ts'
import type { ReportedState, StatusReport } from '../status-report.ts'
import { withoutTrailingZeros } from '../trailing-zeros.ts'

/** Maps our terms to the names in the settings and back; pure functions. */

export const algorithms = ['sha256', 'sha512', 'sha1', 'md5', 'hmac-sha256', 'hmac-sha512'] as const
export const encodings = ['base64', 'hex', 'hex in capitals'] as const
export const amountFormats = ['with all decimals', 'without zeros behind', 'smallest unit'] as const
export const countryFormats = ['two letters', 'three letters'] as const

export type Pairs = readonly (readonly [string, string])[]
export type Recipe = {
  merchantId: string
  secretKey: string
  algorithm: (typeof algorithms)[number]
  encoding: (typeof encodings)[number]
  amountFormat: (typeof amountFormats)[number]
  countryFormat: (typeof countryFormats)[number]
  formFields: Pairs
  formSignature: string
  messageFields: Pairs
  messageSignature: string
  statusLabels: Pairs
}

export const isKeyed = ({ algorithm }: Pick<Recipe, 'algorithm'>): boolean => algorithm.startsWith('hmac-')

/** Replaces `{order}` and other placeholders by their values; everything else is literal. */
const fill = (template: string, known: Readonly<Record<string, string>>): string =>
  template.replace(/\{([a-z_]+)\}/g, (_all, name: string) => (Object.hasOwn(known, name) ? (known[name] ?? '') : ''))

export function sign(template: string, known: Readonly<Record<string, string>>, recipe: Recipe): string {
  const { algorithm, encoding, secretKey } = recipe
  const text = fill(template, { ...known, secret: secretKey })
  const hash = isKeyed(recipe)
    ? createHmac(algorithm.slice('hmac-'.length), secretKey).update(text, 'utf8')
    : createHash(algorithm).update(text, 'utf8')
  if (encoding === 'base64') return hash.digest('base64')
  return encoding === 'hex' ? hash.digest('hex') : hash.digest('hex').toUpperCase()
}

export function formFields(order: OrderToStart, recipe: Recipe): readonly { name: string; value: string }[] {
  const { payer, urls } = order
  const amounts = {
    'with all decimals': order.amount,
    'without zeros behind': withoutTrailingZeros(order.amount),
    'smallest unit': toMinorUnits(order.amount, order.currency) ?? '',
  }
  const known = {
    merchant: recipe.merchantId,
    order: order.attempt,
    amount: amounts[recipe.amountFormat],
    currency: order.currency,
    first_name: cut(payer.firstName, 50),
    last_name: cut(payer.lastName, 50),
    email: payer.email,
    phone: payer.phone.replace(/[\s()-]/g, ''),
    country: recipe.countryFormat === 'two letters' ? payer.country : countryInThreeLetters(payer.country),
    city: cut(payer.city, 50),
    address: cut(payer.address, 100),
    zip: cut(payer.zip ?? '', 15),
    member: payer.id,
    description: cut(order.description, 100),
    return_url: urls.back,
    cancel_url: urls.cancelled,
    notify_url: urls.notify,
  }
  // The form passes through the member's browser, and the member controls some of its values.
  if (readsAsMessage(fill(recipe.formSignature, { ...known, secret: recipe.secretKey }), recipe))
    throw new PaymentProblem('declined', 'a form whose signature would do for a webhook event')
  const signature = sign(recipe.formSignature, known, recipe)
  // The secret is not a placeholder here: it must never pass through a member's browser.
  return recipe.formFields.map(([name, template]) => ({ name, value: fill(template, { ...known, signature }) }))
}

/** A message's values under our own names. */
export function knownOf(message: Fields, { messageFields }: Recipe): Record<string, string> {
  return Object.fromEntries(messageFields.map(([ours, theirs]) => [ours, message.get(theirs) ?? '']))
}

/** A status may also be any literal from the settings, whatever its characters. */
const shapes: Readonly<Record<string, RegExp>> = {
  order: nameShape,
  merchant: /^[^|,;&=+#~\s]{1,100}$/,
  reference: /^[\w.:/-]{1,100}$/,
  amount: amountShape,
  currency: currencyShape,
  status: /^[\w.-]{1,40}$/,
}
const separators = /[|,;&=+#~\s]/
const place = /\{([a-z_]+)\}/g

const isShaped = (name: string, value: string, { statusLabels, merchantId }: Recipe): boolean =>
  (name === 'status' && statusLabels.some(([theirs]) => theirs === value)) ||
  (name === 'merchant' && value === merchantId) ||
  (shapes[name]?.test(value) ?? !separators.test(value))

/** Checks the format of every signed value before hashing. */
export const hasShape = (known: Readonly<Record<string, string>>, recipe: Recipe): boolean =>
  [...recipe.messageSignature.matchAll(place)].every(
    ([, name = '']) => name === 'secret' || isShaped(name, known[name] ?? '', recipe),
  )

/**
 * Whether the signed text can be split in one way only: between any two values is a character that no value contains,
 * or the secret. Deposit is the only kind that is signed this way.
 */
export function coverageOf({ messageSignature, statusLabels, merchantId }: Recipe): Coverage {
  const between = messageSignature
    .replaceAll('{secret}', '|')
    .split(/\{[a-z_]+\}/)
    .slice(1, -1)
  const own = [merchantId, ...statusLabels.map(([theirs]) => theirs)].join('')
  const isCut = between.every((text) => [...text].some((sign) => separators.test(sign) && !own.includes(sign)))
  const cover = isCut ? 'signed' : 'unsigned'
  return { order: cover, amount: cover, currency: cover, kind: 'fixed', reference: cover }
}

/** Whether a text matches the format of a signed webhook event. */
function readsAsMessage(text: string, recipe: Recipe): boolean {
  const literal = (part: string): string => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const parts = recipe.messageSignature.split(place)
  const pattern = parts.map((part, at) => {
    if (at % 2 === 0) return literal(part)
    if (part === 'secret') return literal(recipe.secretKey)
    if (part === 'merchant') return literal(recipe.merchantId)
    const shape = shapes[part]?.source.slice(1, -1) ?? '[^|,;&=+#~\\s]*'
    if (part !== 'status') return `(?:${shape})`
    return `(?:${[shape, ...recipe.statusLabels.map(([theirs]) => literal(theirs))].join('|')})`
  })
  return new RegExp(`^${pattern.join('')}$`).test(text)
}

export function isSigned(known: Readonly<Record<string, string>>, recipe: Recipe): boolean {
  if (recipe.secretKey === '') return false
  return isSameSignature(known.signature, sign(recipe.messageSignature, known, recipe))
}

export const states: readonly ReportedState[] = ['paid', 'declined', 'cancelled', 'pending', 'returned', 'unclear']

export function reportOf(known: Readonly<Record<string, string>>, recipe: Recipe): StatusReport {
  const word = known.status ?? ''
  const state = recipe.statusLabels.find(([theirs]) => theirs === word)?.[1]
  const [amount, currency] = [known.amount ?? '', known.currency ?? '']
  return {
    attempt: known.order || null,
    reference: known.reference || null,
    state: states.find((each) => each === state) ?? 'unclear',
    amount: recipe.amountFormat === 'smallest unit' ? fromMinorUnits(amount, currency) : amountIn(amount),
    currency: currency || null,
    reason: cut(known.reason ?? '', 200) || null,
    word: cut(word, 40),
  }
}
