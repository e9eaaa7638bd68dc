import { z } from 'zod'
import { defineProvider, PaymentProblem, type RawWebhookEvent } from '../contract.ts'
import type { SignatureReading } from '../coverage.ts'
import { type Fields, readForm, readObject, refused, textAnswer, textIn } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import {
  algorithms,
  amountFormats,
  countryFormats,
  coverageOf,
  encodings,
  formFields,
  hasShape,
  isKeyed,
  isSigned,
  knownOf,
  type Pairs,
  type Recipe,
  reportOf,
} from './translate.ts'

const signedHelp = 'Names in braces, in the order in which they are signed, with any separators between them.'

/** Lines of `name = value`. */
function pairsSetting(label: string, help: string, usual: readonly string[], needed: readonly string[] = []) {
  const schema = z
    .string()
    .max(4_000)
    .transform(
      (text): Pairs =>
        text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
          .map((line) => line.split(/\s*=\s*(.*)/s).slice(0, 2) as [string, string]),
    )
    .refine(
      (pairs) => pairs.length > 0 && pairs.every(([name, value]) => name && value),
      'Enter name = value on each line.',
    )
    .refine(
      (pairs) => needed.every((name) => pairs.some(([each]) => each === name)),
      `Enter lines for ${needed.join(', ')}.`,
    )
  return { label, help, isLong: true, usual: usual.join('\n'), schema } as const
}

/** A value outside the signature could be changed in transit. */
function templateSetting(label: string, help: string, usual: string, needed: readonly string[]) {
  const schema = z
    .string()
    .trim()
    .max(500)
    .refine((text) => needed.every((name) => text.includes(`{${name}}`)), {
      error: `It must cover ${needed.map((name) => `{${name}}`).join(' ')}.`,
    })
  return { label, help, usual, schema } as const
}

/**
 * A page that receives signed fields and sends a signed message back: a generic adapter for a provider without reliable
 * public documentation. Everything that a contract may vary is a setting.
 */
export const virtualpay = defineProvider({
  name: 'VirtualPay',
  payWith: 'card',
  pendingDays: 3,
  fields: {
    merchantId: textSetting({
      label: 'Merchant ID',
      help: 'As the provider sent it to you; {merchant} in the fields below.',
    }),
    secretKey: secretSetting({
      label: 'Secret key',
      help: 'Signs the fields of the page and verifies webhook events; {secret} in the fields below. It never leaves the server.',
    }),
    actionUrl: addressSetting(
      { label: 'Payment page', help: 'The address that the form is posted to, from your contract.' },
      '',
    ),
    formFields: pairsSetting(
      'Fields of the form',
      'Name of the provider = our value, in the order in which they are posted. Values: {merchant} {order} {amount} {currency} {first_name} {last_name} {email} {phone} {country} {city} {address} {zip} {member} {description} {return_url} {cancel_url} {notify_url} {signature}, or any text.',
      [
        ...['MID = {merchant}', 'REQUESTID = {order}', 'AMOUNT = {amount}', 'CURRENCY = {currency}'],
        ...['FIRST_NAME = {first_name}', 'LAST_NAME = {last_name}', 'EMAIL = {email}', 'MOBILE = {phone}'],
        ...['COUNTRY = {country}', 'CITY = {city}', 'DESCRIPTION = {description}', 'REDIRECT_URL = {return_url}'],
        ...['TIMEOUT_URL = {notify_url}', 'CHECKSUM = {signature}'],
      ],
    ),
    formSignature: templateSetting(
      'Signed fields of the form',
      `${signedHelp} For hmac the secret is the key and can be left out.`,
      '{order}{merchant}{amount}{currency}{secret}',
      ['order', 'amount'],
    ),
    messageFields: pairsSetting(
      'Fields of a webhook event',
      'Our name = name of the provider. Ours: order, reference, amount, currency, status, signature; merchant and reason if the provider sends them.',
      [
        ...['order = requestID', 'merchant = merchantID', 'reference = transactionID', 'amount = amount'],
        ...['currency = currency', 'status = status', 'signature = checksum', 'reason = message'],
      ],
      ['order', 'reference', 'amount', 'currency', 'status', 'signature'],
    ),
    messageSignature: templateSetting(
      'Signed fields of a webhook event',
      `${signedHelp} Values as received. Every field that we rely on must be included. With a separator such as | between the fields, webhook events are accepted automatically; without one they go to manual review.`,
      '{order}{merchant}{reference}{amount}{currency}{status}{secret}',
      ['order', 'reference', 'amount', 'currency', 'status'],
    ),
    statusLabels: pairsSetting(
      'Status words',
      'Word of the provider, exactly as sent = ours: paid, declined, cancelled, pending, returned. Any other word goes to manual review.',
      ['approved = paid', 'declined = declined', 'cancelled = cancelled', 'pending = pending'],
    ),
    algorithm: choiceSetting({ label: 'Signature', help: 'From your contract.' }, algorithms),
    encoding: choiceSetting({ label: 'Signature format', help: 'From your contract.' }, encodings),
    amountFormat: choiceSetting({ label: 'Amounts', help: '23.50, 23.5, or 2350.' }, amountFormats),
    countryFormat: choiceSetting({ label: 'Countries', help: 'MT or MLT.' }, countryFormats),
    acknowledgement: {
      label: 'Response to webhook events',
      help: 'The body that the provider expects.',
      usual: 'OK',
      schema: z.string().max(100),
    },
    pageHosts: pageHostsSetting(''),
  },
  connect({ actionUrl, pageHosts, acknowledgement, ...recipe }, http) {
    const isSecret = (template: string): boolean => isKeyed(recipe) || template.includes('{secret}')
    if (!isSecret(recipe.messageSignature)) throw new PaymentProblem('misconfigured', 'a signature without the secret')
    return {
      pageOrigins: originsOf(actionUrl, pageHosts),
      async start(order) {
        return { redirect: { kind: 'form', action: actionUrl, fields: formFields(order, recipe) }, reference: null }
      },
      // Nothing can be queried: an unreported payment, or one signed without separators, goes to manual review against
      // the provider's list.
      proves: { deposit: coverageOf(recipe) },
      readMessage: (raw) => read(raw, recipe, acknowledgement),
      async test() {
        const { status } = await http({ method: 'GET', url: actionUrl })
        if (status >= 500) throw new PaymentProblem('unavailable', `the payment page answers with ${status}`)
      },
    }
  },
})

function read(raw: RawWebhookEvent, recipe: Recipe, acknowledgement: string): SignatureReading {
  const message = fieldsOf(raw)
  const known = message && knownOf(message, recipe)
  if (!known?.order) return refused('unreadable')
  if (!known.signature) return refused('unsigned')
  if (!hasShape(known, recipe)) return refused('unreadable')
  if (!isSigned(known, recipe)) return refused('wrong_signature')
  if (known.merchant && known.merchant !== recipe.merchantId) return refused('another_merchant')
  return { signed: reportOf(known, recipe), answer: textAnswer(200, acknowledgement) }
}

/** A query string, a form or a JSON object. */
function fieldsOf({ method, query, body }: RawWebhookEvent): Fields | null {
  if (method === 'GET') return readForm(query)
  const text = body.toString('utf8')
  if (!text.trimStart().startsWith('{')) return readForm(text)
  const message = readObject(text)
  return message && new Map(Object.entries(message).map(([name, value]) => [name, textIn(value)]))
}
