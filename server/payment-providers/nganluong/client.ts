import { type Http, PaymentProblem } from '../contract.ts'
import { formBody, formType, isObject, type JsonObject, readObject, textIn } from '../messages.ts'
import { readXml } from '../xml.ts'

type Sent = readonly (readonly [string, string])[]

/** Errors of the create call that staff must fix in the settings or the contract. */
const settingCodes = new Set(['02', '03', '04', '05', '06', '07', '08', '09', '110', '111', '113', '134', '135'])

/** Returns their payment page for one order, and the token for status queries. */
export async function createOrder(http: Http, url: string, fields: Sent): Promise<{ token: string; page: string }> {
  const { status, text } = await http({ method: 'POST', url, headers: formType, body: formBody(fields) })
  const answer = readXml(text)
  const said = (name: string): string => (answer?.get(`result/${name}`) ?? '').trim()
  const code = said('error_code')
  if (code === '') throw new PaymentProblem('unknown', `HTTP ${status} without a result`)
  if (code !== '00') throw new PaymentProblem(settingCodes.has(code) ? 'misconfigured' : 'declined', `code ${code}`)
  // The URL comes with a line break inside its element.
  const [token, page] = [said('token'), said('checkout_url')]
  if (token === '' || page === '') throw new PaymentProblem('unknown', 'no token or no payment page')
  return { token, page }
}

/** Errors of the check call that say nothing about the payment. */
const callErrors = new Set(['01', '10', '11', '12', '13', '80', '99'])

/** The check of one token: its result code and data. */
export async function checkOrder(http: Http, url: string, fields: Sent): Promise<{ code: string; data: JsonObject }> {
  const { status, text } = await http({ method: 'POST', url, headers: formType, body: formBody(fields) })
  const answer = readObject(text)
  const code = textIn(answer?.error_code)
  if (!answer || code === '') throw new PaymentProblem('unknown', `HTTP ${status} without a result`)
  if (settingCodes.has(code)) throw new PaymentProblem('misconfigured', `code ${code}`)
  if (callErrors.has(code)) throw new PaymentProblem('unknown', `code ${code}`)
  return { code, data: isObject(answer.data) ? answer.data : {} }
}
