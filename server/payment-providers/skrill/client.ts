import { createHash } from 'node:crypto'
import { type Http, PaymentProblem } from '../contract.ts'
import { type Fields, formBody, formType, isFinalRefusal, readForm, readObject, textIn } from '../messages.ts'
import { readXml, type Texts } from '../xml.ts'
import { failureOfSending } from './translate.ts'

type Sent = readonly (readonly [string, string])[]

/**
 * Creates the page of one payment. Any answer but a session id of 32 hex digits means a refusal or an unknown outcome.
 */
export async function openPage(http: Http, payUrl: string, fields: Sent): Promise<string> {
  const { status, text } = await http({ method: 'POST', url: payUrl, headers: formType, body: formBody(fields) })
  const number = text.trim()
  if (status === 200 && /^[0-9a-f]{32}$/i.test(number)) return `${payUrl}/app/?sid=${number}`
  const said = readObject(text)
  const words = said ? `${textIn(said.code)} ${textIn(said.message)}`.trim() : ''
  if (isFinalRefusal(status))
    throw new PaymentProblem(status === 401 || status === 403 ? 'misconfigured' : 'declined', `${status} ${words}`)
  throw new PaymentProblem('unknown', `HTTP ${status} without a session ${words}`.trim())
}

type Interface = { queryUrl: string; payToEmail: string; apiPassword: string }

/** The merchant query interface expects a hashed password, and locks after several wrong ones. */
export const passwordHash = (password: string): string => createHash('md5').update(password, 'utf8').digest('hex')

/** Queries one payment by our attempt id; null only when they say that they do not know it. */
export async function askStatus(
  http: Http,
  { queryUrl, ...login }: Interface,
  attempt: string,
): Promise<Fields | null> {
  const body = formBody([
    ['email', login.payToEmail],
    ['password', passwordHash(login.apiPassword)],
    ['action', 'status_trn'],
    ['trn_id', attempt],
  ])
  const { status, text } = await http({ method: 'POST', url: queryUrl, headers: formType, body })
  const [head = '', ...rest] = text.split('\n')
  const code = /^(\d{3})\s+(.*)$/.exec(head.trim())
  if (code?.[1] === '200') {
    const fields = readForm(rest.join('').trim())
    if (!fields?.get('status')) throw new PaymentProblem('unknown', 'an answer without a status')
    return fields
  }
  if (code?.[1] === '403') return null
  if (code?.[1] === '401') throw new PaymentProblem('misconfigured', 'the interface does not know this password')
  throw new PaymentProblem('unknown', code ? `${code[1]} ${code[2]}` : `HTTP ${status} without a code`)
}

type Sending = { sendUrl: string; payToEmail: string; apiPassword: string }

/**
 * Sends money in two steps, of which the first only prepares the transfer in a session that is valid for one. Without a
 * trustworthy answer the outcome is unknown and is queried by our attempt id.
 */
export async function sendMoney(http: Http, { sendUrl, ...login }: Sending, fields: Sent): Promise<Texts> {
  const prepared = await post(http, sendUrl, [
    ['action', 'prepare'],
    ['email', login.payToEmail],
    ['password', passwordHash(login.apiPassword)],
    ...fields,
  ])
  const sid = prepared.get('response/sid') ?? ''
  if (!/^[\w-]{8,64}$/.test(sid)) throw new PaymentProblem('unknown', 'prepared without a session')
  return post(http, sendUrl, [
    ['action', 'transfer'],
    ['sid', sid],
  ])
}

async function post(http: Http, url: string, fields: Sent): Promise<Texts> {
  const { status, text } = await http({ method: 'POST', url, headers: formType, body: formBody(fields) })
  const answer = readXml(text)
  if (!answer?.has('response')) throw new PaymentProblem('unknown', `HTTP ${status} without an answer`)
  const error = answer.get('response/error/error_msg')
  if (error !== undefined) throw new PaymentProblem(failureOfSending(error), error.slice(0, 60))
  return answer
}
