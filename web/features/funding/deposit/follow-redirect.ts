import type { CallAnswer } from '@atrium/contract/call.ts'
import type { startDeposit } from '@atrium/contract/payments/start-deposit.ts'
import { leaveBy, leaveFor } from '../../../ui/forms/leave-page.ts'
import { type FramedForm, storeFramedForm } from './framed-form.ts'

export type Redirect = CallAnswer<typeof startDeposit>
type PaymentPage = Pick<Redirect, 'redirectURL' | 'form_data' | 'order'>

/** HTTPS, or HTTP from an HTTP page: never from HTTPS to HTTP, nor to a script. */
export function isFollowable(address: string, here: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && new URL(here).protocol === 'http:')
}

/** Opens the payment page by its address, or by a form whose fields keep their signed order. */
export function followRedirect({ redirectURL, form_data, order }: PaymentPage): boolean {
  const target = redirectURL ?? form_data?.action
  if (target === undefined || !isFollowable(target, window.location.href)) return false
  if (form_data?.is_framed && storeFramedForm({ order, ...form_data })) {
    // A full page load: the CSP of only that page allows payment pages in a frame.
    leaveFor('/rpnpay-payment')
  } else if (form_data) leaveBy(() => postForm(form_data))
  else leaveFor(target)
  return true
}

/** `target` is a frame's name; the default replaces this page. */
export function postForm({ action, fields }: Pick<FramedForm, 'action' | 'fields'>, target = '_self'): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.target = target
  form.action = action
  for (const { name, value } of fields) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
