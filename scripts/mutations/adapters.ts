import type { Mutation } from './mutation.ts'

const webhookEvents = ['server/payments/webhook-events.test.ts']
const ways = ['server/payment-providers/zotapay/ways.test.ts']
const skrill = ['server/payment-providers/skrill/skrill.contract.test.ts']
const neteller = ['server/payment-providers/neteller/neteller.contract.test.ts']
const coins = ['server/payments/coin-deposits.test.ts']
const coinWords = ['server/payment-providers/coinpayments/translate.test.ts']
const rpnpay = ['server/payment-providers/rpnpay/rpnpay.contract.test.ts']
const sdsystem = ['server/payment-providers/sdsystem/translate.test.ts']
const rpnpayWords = ['server/payment-providers/rpnpay/translate.test.ts']

/** Payment provider adapters: signatures, merchants and amounts. */
export const adapterMutations: Mutation[] = [
  {
    name: 'the HMAC of a CoinPayments webhook is not verified',
    file: 'server/payment-providers/coinpayments/index.ts',
    find: "if (!isSameSignature(headers.hmac.toLowerCase(), hmacOf(body, reader.ipnSecret))) return refused('wrong_signature')",
    replace: '',
    tests: coinWords,
    guards: 'M5',
  },
  {
    name: 'the order ignores the payment method that the member chose',
    file: 'server/payment-providers/zotapay/index.ts',
    find: 'order.way ? fitting.find(({ method }) => method === order.way) : fitting[0]',
    replace: 'fitting[0]',
    tests: ways,
    guards: 'M7',
  },
  {
    name: 'the merchant of a CoinPayments webhook is not verified',
    file: 'server/payment-providers/coinpayments/index.ts',
    find: "if (fields.get('merchant') !== reader.merchantId) return refused('another_merchant')",
    replace: '',
    tests: coinWords,
    guards: 'M6',
  },
  {
    name: 'unconfirmed coins count as paid',
    file: 'server/payment-providers/coinpayments/translate.ts',
    find: "if (status === 2 || status >= 100) return 'paid'",
    replace: "if (status >= 1) return 'paid'",
    tests: coins,
    guards: 'M4',
  },
  {
    name: 'a ZotaPay webhook of another merchant is accepted',
    file: 'server/payment-providers/zotapay/index.ts',
    find: "if (!reader.endpoints.some(({ id }) => id === textOf(message.endpointID))) return refused('another_merchant')",
    replace: '',
    tests: webhookEvents,
    guards: 'M6',
  },
  {
    name: 'the signature of a Skrill webhook is not verified',
    file: 'server/payment-providers/skrill/index.ts',
    find: "if (!isSigned(message, merchant)) return refused('wrong_signature')",
    replace: '',
    tests: skrill,
    guards: 'M5',
  },
  {
    name: 'the merchant of a Skrill webhook is not verified',
    file: 'server/payment-providers/skrill/index.ts',
    find: "if (!isForMerchant(message, merchant)) return refused('another_merchant')",
    replace: '',
    tests: skrill,
    guards: 'M6',
  },
  {
    name: 'a Neteller payment is credited before it is captured',
    file: 'server/payment-providers/neteller/translate.ts',
    find: "PAYABLE: 'payable',",
    replace: "PAYABLE: 'paid',",
    tests: neteller,
    guards: 'M7',
  },
  {
    name: 'the signature of an RPN webhook is not verified',
    file: 'server/payment-providers/rpnpay/index.ts',
    find: "if (!isSigned(message, secretKey)) return refused('wrong_signature')",
    replace: '',
    tests: rpnpay,
    guards: 'M5',
  },
  {
    name: 'fen are read as yuan',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: "amount: fromMinorUnits(said('pay_amount'), currency),",
    replace: "amount: amountIn(said('pay_amount')),",
    tests: rpnpay,
    guards: 'M7',
  },
  {
    name: 'a value with separators can shift fields under the same signature',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: 'if (pairs.some(([, value]) => /[|=]/.test(value)))',
    replace: "if (pairs.some(([, value]) => value === '|'))",
    tests: rpnpayWords,
    guards: 'M5',
  },
  {
    name: 'a payout counts as paid by a message whose reference is not signed',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: "  state: 'hint',\n  amount: null,",
    replace: "  state: 'paid',\n  amount: null,",
    tests: rpnpayWords,
    guards: 'M7',
  },
  {
    name: 'the inner signature of an encrypted message is not verified',
    file: 'server/payment-providers/sdsystem/translate.ts',
    find: "if (!isSameSignature(given, signature(xml, md5Key))) return 'wrong_signature'",
    replace: "if (given === '') return 'wrong_signature'",
    tests: sdsystem,
    guards: 'M5',
  },
  {
    name: 'an encrypted message with an invalid status counts as paid',
    file: 'server/payment-providers/sdsystem/translate.ts',
    find: "const words: Words = { '1': 'paid', '2': 'declined' }",
    replace: "const words: Words = { '0': 'paid', '1': 'paid', '2': 'declined' }",
    tests: sdsystem,
    guards: 'M7',
  },
  {
    name: 'rotating the encryption key drops the connection to a platform',
    file: 'server/trading-platforms/platform-connections.ts',
    find: "createHash('sha256').update(JSON.stringify(settings)).digest('hex')",
    replace: "createHash('sha256').update(row.sealed_secret).digest('hex')",
    tests: ['server/trading-platforms/platform-connections.test.ts'],
    guards: 'V4',
  },
]
