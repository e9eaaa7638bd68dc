import { createHmac } from 'node:crypto'
import { type Http, type HttpAnswer, type PaymentFailure, PaymentProblem } from '../contract.ts'
import { formType, readObject } from '../messages.ts'
import { failureOf } from './translate.ts'

export type Keys = { baseUrl: string; publicKey: string; privateKey: string }
type Asking = {
  fields?: Readonly<Record<string, string>>
  /** Classifies their error text; its meaning depends on the command. */
  whatFailed?: (sentence: string) => PaymentFailure
}

/** HMAC as lower-case hex over the exact bytes sent or received. */
export const hmacOf = (body: string | Buffer, secret: string): string =>
  createHmac('sha512', secret).update(body).digest('hex')

/** Sends one command. All commands share one URL; an error has status 200 and a text. */
export async function command(
  http: Http,
  keys: Keys,
  cmd: string,
  { fields = {}, whatFailed = failureOf }: Asking = {},
): Promise<unknown> {
  const body = new URLSearchParams({ version: '1', format: 'json', key: keys.publicKey, cmd, ...fields }).toString()
  const headers = { ...formType, hmac: hmacOf(body, keys.privateKey) }
  const { error, result } = parse(await http({ method: 'POST', url: `${keys.baseUrl}/api.php`, headers, body }))
  if (error !== 'ok') throw new PaymentProblem(whatFailed(error), error.slice(0, 120))
  return result
}

function parse({ status, text }: HttpAnswer): { error: string; result: unknown } {
  const answer = readObject(text)
  if (!answer) throw new PaymentProblem('unknown', `HTTP ${status} without JSON`)
  const { error, result } = answer
  if (typeof error !== 'string') throw new PaymentProblem('unknown', `HTTP ${status} without a verdict`)
  return { error, result }
}
