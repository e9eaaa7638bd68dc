import type { Mutation } from './mutation.ts'

const beneficiaries = ['server/banking/beneficiaries.test.ts']
const bankAccounts = ['server/banking/bank-accounts.test.ts']
const fundAccounts = ['server/banking/fund-accounts.test.ts']

/** Beneficiaries: who can change them, and when they can be used. */
export const beneficiaryMutations: Mutation[] = [
  {
    name: 'a new beneficiary has no cooling-off period',
    file: 'server/banking/beneficiary.ts',
    find: 'settings.destination_rest_hours * 3_600_000',
    replace: 'settings.destination_rest_hours * 0',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: 'a changed beneficiary has no cooling-off period',
    file: 'server/banking/beneficiary-change.ts',
    find: 'const until = startsCoolingOff ? await coolingOffUntil(tx, member) : before.usableFrom',
    replace: 'const until = startsCoolingOff ? before.usableFrom : before.usableFrom',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: 'an IBAN and a BIC of different countries need no confirmation',
    file: 'contract/banking/calls.ts',
    find: '  input.countries_confirmed === true\n    ? []',
    replace: '  input.countries_confirmed !== false\n    ? []',
    tests: bankAccounts,
    guards: 'A8',
  },
  {
    name: 'a name can exceed the maximum length of the workspace',
    file: 'server/banking/bank-accounts.ts',
    find: 'text.length > charsMax',
    replace: 'text.length > charsMax * 9',
    tests: bankAccounts,
    guards: 'A8',
  },
  {
    name: 'the checksum of a wallet address is not verified',
    file: 'contract/banking/address-formats.ts',
    find: '    const bytes = base58check.decode(address)\n',
    replace: '    const bytes = base58.decode(address).slice(0, -4)\n',
    tests: ['contract/banking/address-checksums.test.ts', ...fundAccounts],
    guards: 'M7',
  },
  {
    name: 'a payout goes to a stored wallet with an invalid address',
    file: 'server/banking/beneficiary.ts',
    find: "  const isFit = type !== 'crypto' || (isAddress",
    replace: "  const isFit = type !== 'bank_account' || (isAddress",
    tests: [
      'server/payment-providers/coinpayments/coinpayments.contract.test.ts',
      'server/withdrawals/withdrawal.test.ts',
    ],
    guards: 'M7',
  },
]
