import { type Http, PaymentProblem } from '../contract.ts'
import { readXml, xmlText } from '../xml.ts'

type Place = { url: string; namespace: string; loginAccount: string }

/** Sends one encrypted payout and returns their id for it. Any answer but a number leaves the outcome unknown. */
export async function getFund(http: Http, { url, namespace, loginAccount }: Place, info: string): Promise<string> {
  const asked = `<LoginAccount>${xmlText(loginAccount)}</LoginAccount><GetFundInfo>${info}</GetFundInfo>`
  const body = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>',
    `<GetFund xmlns="${xmlText(namespace)}">${asked}</GetFund></soap:Body></soap:Envelope>`,
  ].join('')
  const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${namespace}GetFund"`, accept: 'text/xml' }
  const { status, text } = await http({ method: 'POST', url, headers, body })
  const said = [...(status === 200 ? (readXml(text) ?? []) : [])].find(([place]) => /[/:]GetFundResult$/.test(place))
  const number = said?.[1].trim() ?? ''
  if (!/^-?\d{1,18}$/.test(number)) throw new PaymentProblem('unknown', `HTTP ${status} without a number`)
  return number
}
