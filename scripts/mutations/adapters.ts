import type { Mutation } from './mutation.ts'

const notices = ['server/payments/notices.test.ts']
const ways = ['server/payment-providers/zotapay/ways.test.ts']
const skrill = ['server/payment-providers/skrill/skrill.contract.test.ts']
const neteller = ['server/payment-providers/neteller/neteller.contract.test.ts']
const coins = ['server/payments/coin-deposits.test.ts']
const coinWords = ['server/payment-providers/coinpayments/translate.test.ts']
const rpnpay = ['server/payment-providers/rpnpay/rpnpay.contract.test.ts']
const sdsystem = ['server/payment-providers/sdsystem/translate.test.ts']
const rpnpayWords = ['server/payment-providers/rpnpay/translate.test.ts']

/** Single payment providers: how each signs, names its merchant and tells amounts. */
export const adapterMutations: Mutation[] = [
  {
    name: 'the hash of a coin notice is not compared',
    file: 'server/payment-providers/coinpayments/index.ts',
    find: "if (!isSameSignature(headers.hmac.toLowerCase(), hmacOf(body, reader.ipnSecret))) return refused('wrong_signature')",
    replace: '',
    tests: coinWords,
    guards: 'M5',
  },
  {
    name: 'the way to pay that a member chose is not the one that is asked',
    file: 'server/payment-providers/zotapay/index.ts',
    find: 'order.way ? fitting.find(({ method }) => method === order.way) : fitting[0]',
    replace: 'fitting[0]',
    tests: ways,
    guards: 'M7',
  },
  {
    name: 'the merchant of a coin notice is not compared',
    file: 'server/payment-providers/coinpayments/index.ts',
    find: "if (fields.get('merchant') !== reader.merchantId) return refused('another_merchant')",
    replace: '',
    tests: coinWords,
    guards: 'M6',
  },
  {
    name: 'coins that were only seen count as paid',
    file: 'server/payment-providers/coinpayments/translate.ts',
    find: "if (status === 2 || status >= 100) return 'paid'",
    replace: "if (status >= 1) return 'paid'",
    tests: coins,
    guards: 'M4',
  },
  {
    name: 'a payment notification is looked for in every workspace’s merchant',
    file: 'server/payment-providers/zotapay/index.ts',
    find: "if (!reader.endpoints.some(({ id }) => id === textOf(message.endpointID))) return refused('another_merchant')",
    replace: '',
    tests: notices,
    guards: 'M6',
  },
  {
    name: 'a wallet’s signature is not compared',
    file: 'server/payment-providers/skrill/index.ts',
    find: "if (!isSigned(message, merchant)) return refused('wrong_signature')",
    replace: '',
    tests: skrill,
    guards: 'M5',
  },
  {
    name: 'a wallet’s merchant is not compared',
    file: 'server/payment-providers/skrill/index.ts',
    find: "if (!isForMerchant(message, merchant)) return refused('another_merchant')",
    replace: '',
    tests: skrill,
    guards: 'M6',
  },
  {
    name: 'a consent is credited without taking the money',
    file: 'server/payment-providers/neteller/translate.ts',
    find: "PAYABLE: 'payable',",
    replace: "PAYABLE: 'paid',",
    tests: neteller,
    guards: 'M7',
  },
  {
    name: 'the signature of a payment in yuan is not compared',
    file: 'server/payment-providers/rpnpay/index.ts',
    find: "if (!isSigned(message, secretKey)) return refused('wrong_signature')",
    replace: '',
    tests: rpnpay,
    guards: 'M5',
  },
  {
    name: 'fen are taken for yuan',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: "amount: fromMinorUnits(said('pay_amount'), currency),",
    replace: "amount: amountIn(said('pay_amount')),",
    tests: rpnpay,
    guards: 'M7',
  },
  {
    name: 'a field may stand for the next one under one signature',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: 'if (pairs.some(([, value]) => /[|=]/.test(value)))',
    replace: "if (pairs.some(([, value]) => value === '|'))",
    tests: rpnpayWords,
    guards: 'M5',
  },
  {
    name: 'a payout counts as made by a message that does not sign which',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: "  state: 'hint',\n  amount: null,",
    replace: "  state: 'paid',\n  amount: null,",
    tests: rpnpayWords,
    guards: 'M7',
  },
  {
    name: 'the inner signature of a sealed message is not compared',
    file: 'server/payment-providers/sdsystem/translate.ts',
    find: "if (!isSameSignature(given, signature(xml, md5Key))) return 'wrong_signature'",
    replace: "if (given === '') return 'wrong_signature'",
    tests: sdsystem,
    guards: 'M5',
  },
  {
    name: 'a sealed message that was not valid is a payment',
    file: 'server/payment-providers/sdsystem/translate.ts',
    find: "const words: Words = { '1': 'paid', '2': 'declined' }",
    replace: "const words: Words = { '0': 'paid', '1': 'paid', '2': 'declined' }",
    tests: sdsystem,
    guards: 'M7',
  },
  {
    name: 'sealing settings with another key cuts the connection to a platform',
    file: 'server/trading-platforms/platform-connections.ts',
    find: "createHash('sha256').update(JSON.stringify(settings)).digest('hex')",
    replace: "createHash('sha256').update(row.sealed_secret).digest('hex')",
    tests: ['server/trading-platforms/platform-connections.test.ts'],
    guards: 'V4',
  },
]
