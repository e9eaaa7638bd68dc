import { defineProvider, type NotificationReading, PaymentProblem, type RawNotification } from '../contract.ts'
import { readForm, refused } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { keysOf } from './cipher.ts'
import {
  acknowledgement,
  codes,
  commands,
  type Display,
  formFields,
  type Merchant,
  openCallback,
  reportOf,
  saidIn,
} from './translate.ts'

const displays = Object.keys(commands) as [Display, ...Display[]]

/** SD System (SDPay): a sealed order, posted to their page, and a sealed message back; yuan only. */
export const sdsystem = defineProvider({
  name: 'SD System',
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'As they wrote it to you (pid).' }),
    key1: secretSetting({ label: 'Key 1', help: 'Seals every message; base64, as they sent it.' }),
    key2: secretSetting({ label: 'Key 2', help: 'What the seal starts with; base64, as they sent it.' }),
    md5Key: secretSetting({ label: 'MD5 key', help: 'Signs the inside of every message: 32 characters.' }),
    payUrl: addressSetting({ label: 'Payment page', help: 'Where the form is posted to, for the way below.' }, ''),
    display: choiceSetting({ label: 'Made for', help: 'Each way has an address of its own.' }, displays),
    pageHosts: pageHostsSetting(''),
  },
  connect({ key1, key2, payUrl, pageHosts, ...settings }, http) {
    const keys = keysOf(key1, key2)
    if (!keys) throw new PaymentProblem('misconfigured', 'key 1 or key 2 is no key of theirs')
    const merchant = { ...settings, keys }
    return {
      pageOrigins: originsOf(payUrl, pageHosts),
      async start(order) {
        return { handOff: { kind: 'form', action: payUrl, fields: formFields(order, merchant) }, reference: null }
      },
      readNotification: (raw) => read(raw, merchant),
      // There is no call to ask by: what was not told is for a person with their list.
      async readStatus() {
        return null
      },
      async test() {
        const { status } = await http({ method: 'GET', url: payUrl })
        if (status >= 500) throw new PaymentProblem('unavailable', `the payment page answers with ${status}`)
      },
    }
  },
})

function read({ method, body }: RawNotification, merchant: Merchant): NotificationReading {
  const message = method === 'POST' ? readForm(body.toString('utf8')) : null
  if (!message) return refused('unreadable')
  const { merchantId } = merchant
  // What cannot be opened names nothing that could be said back.
  const no = acknowledgement({ merchantId, order: '', username: '' }, codes.wrongSignature)
  const res = message.get('res') ?? ''
  if (res === '') return refused('unsigned', no)
  const opened = openCallback(res, merchant)
  if (typeof opened === 'string') return refused(opened, no)
  const said = { merchantId: saidIn(opened, 'merchantid'), order: saidIn(opened, 'order') }
  const about = { ...said, username: saidIn(opened, 'username') }
  if (said.merchantId !== merchantId) return refused('another_merchant', acknowledgement(about, codes.wrongMerchant))
  return { isGenuine: true, reported: reportOf(opened), answer: acknowledgement(about, codes.received) }
}
