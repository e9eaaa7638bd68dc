import { createHash } from 'node:crypto'
import { type Http, PaymentProblem } from '../contract.ts'
import { type Fields, formBody, formType, readForm, readObject, textIn } from '../messages.ts'

type Sent = readonly (readonly [string, string])[]

/** Their page for one payment. Anything that is not its number of 32 digits says that there is none, or nothing at all. */
export async function openPage(http: Http, payUrl: string, fields: Sent): Promise<string> {
  const { status, text } = await http({ method: 'POST', url: payUrl, headers: formType, body: formBody(fields) })
  const number = text.trim()
  if (status === 200 && /^[0-9a-f]{32}$/i.test(number)) return `${payUrl}/app/?sid=${number}`
  const said = readObject(text)
  const words = said ? `${textIn(said.code)} ${textIn(said.message)}`.trim() : ''
  if (status >= 400 && status < 500 && status !== 429)
    throw new PaymentProblem(status === 401 || status === 403 ? 'misconfigured' : 'declined', `${status} ${words}`)
  throw new PaymentProblem('unknown', `HTTP ${status} without a session ${words}`.trim())
}

type Interface = { queryUrl: string; payToEmail: string; apiPassword: string }

/** The merchant query interface wants the password hashed, and locks itself after some wrong ones. */
export const passwordHash = (password: string): string => createHash('md5').update(password, 'utf8').digest('hex')

/** What they say of one payment by our own name for it; null when they know none. */
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
  if (code?.[1] === '200') return readForm(rest.join('').trim())
  if (code?.[1] === '403') return null
  if (code?.[1] === '401') throw new PaymentProblem('misconfigured', 'the interface does not know this password')
  throw new PaymentProblem('unknown', code ? `${code[1]} ${code[2]}` : `HTTP ${status} without a code`)
}
