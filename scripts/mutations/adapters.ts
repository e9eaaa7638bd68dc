import type { Mutation } from './mutation.ts'

const neteller = ['server/payment-providers/neteller/neteller.contract.test.ts']
const coins = ['server/payments/coin-deposits.test.ts']
const rpnpay = ['server/payment-providers/rpnpay/rpnpay.contract.test.ts']
const sdsystem = ['server/payment-providers/sdsystem/translate.test.ts']
const rpnpayTests = ['server/payment-providers/rpnpay/translate.test.ts']

/** Payment provider adapters: signatures, merchants and amounts. */
export const adapterMutations: Mutation[] = [
  {
    name: 'unconfirmed coins count as paid',
    file: 'server/payment-providers/coinpayments/translate.ts',
    find: "if (status === 2 || status >= 100) return 'paid'",
    replace: "if (status >= 1) return 'paid'",
    tests: coins,
    guards: 'M4',
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
    name: 'fen are read as yuan',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: "amount: fromMinorUnits(said('pay_amount'), currency),",
    replace: "amount: amountIn(said('pay_amount')),",
    tests: rpnpay,
    guards: 'M7',
  },
  {
    name: 'a payout counts as paid by a message whose reference is not signed',
    file: 'server/payment-providers/rpnpay/translate.ts',
    find: "  state: 'hint',\n  amount: null,",
    replace: "  state: 'paid',\n  amount: null,",
    tests: rpnpayTests,
    guards: 'M7',
  },
  {
    name: 'an encrypted message with an invalid status counts as paid',
    file: 'server/payment-providers/sdsystem/translate.ts',
    find: "const depositStates: StatusMap = { '1': 'paid', '2': 'declined' }",
    replace: "const depositStates: StatusMap = { '0': 'paid', '1': 'paid', '2': 'declined' }",
    tests: sdsystem,
    guards: 'M7',
  },
  {
    name: 'rotating the encryption key drops the connection to a platform',
    file: 'server/trading-platforms/platform-connections.ts',
    find: 'const fingerprint = fingerprintOf(settings)',
    replace: 'const fingerprint = row.sealed_secret',
    tests: ['server/trading-platforms/platform-connections.test.ts'],
    guards: 'V4',
  },
]
