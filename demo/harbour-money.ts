/** The banks, wallets and movements of money of the demo brokerage. */
export const companyBankAccounts = [
  {
    currency: 'USD',
    account_holder: 'Harbour Markets Ltd',
    iban_number: 'MT84MALT011000012345MTLCAST001S',
    swift: 'MALTMTMT',
    bank_name: 'Bank of the Grand Harbour',
    address_line_1: '1 Harbour Square, Valletta',
    identifier: 'HM-USD',
    notes: 'Write your account number as the payment reference.',
  },
  {
    currency: 'EUR',
    account_holder: 'Harbour Markets Ltd',
    iban_number: 'MT31MALT01100000000000000000123',
    swift: 'MALTMTMT',
    bank_name: 'Bank of the Grand Harbour',
    address_line_1: '1 Harbour Square, Valletta',
    identifier: 'HM-EUR',
    notes: 'Write your account number as the payment reference.',
  },
  {
    currency: 'USD',
    account_holder: 'Harbour Markets Ltd',
    bank_account: '60161331926819',
    swift: 'NWBKGB2L',
    bank_name: 'Northwater Bank',
    address_line_1: '20 Cheapside, London',
    sort_code: '60-16-13',
    identifier: 'HM-USD-UK',
  },
]

export const fundAccounts = [
  {
    owner: 'member',
    type: 'crypto',
    name: 'Savings wallet',
    provider: 'Ledger',
    preferred_currency: 'BTC',
    address_id: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    notes: 'Hardware wallet at home',
    picture: 'wallet.png',
    restsForHours: 0,
  },
  {
    owner: 'member',
    type: 'crypto',
    name: 'Trading wallet',
    provider: 'Kraken',
    preferred_currency: 'USDT',
    address_id: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    notes: null,
    picture: null,
    restsForHours: 20,
  },
  {
    owner: 'member',
    type: 'crypto',
    name: 'Exchange account',
    provider: 'Bitstamp',
    preferred_currency: 'XRP',
    address_id: 'rDsbeomae4FXwgQTJp9Rs64Qg9vDiTCdBv',
    address_tag: '10449118',
    notes: null,
    picture: null,
    restsForHours: 0,
  },
  {
    owner: 'member',
    type: 'other',
    name: 'Travel money',
    provider: 'Skrill',
    preferred_currency: 'EUR',
    address_id: 'amelia.hart@example.com',
    notes: null,
    picture: null,
    restsForHours: 0,
  },
] as const

export const bankAccounts = [
  {
    owner: 'member',
    currency: 'EUR',
    account_holder: 'Amelia Hart',
    iban_number: 'MT84MALT011000012345MTLCAST001S',
    swift: 'VALLMTMT',
    bank_name: 'Bank of Valletta',
    country_code: 'MT',
    address_line_1: '58 Zachary Street',
    city: 'Valletta',
    state: 'South Eastern',
  },
  {
    owner: 'member',
    currency: 'USD',
    account_holder: 'Amelia Hart',
    bank_account: '0044 1187 2290',
    swift: 'BCITITMM',
    bank_name: 'Banca Adriatica',
    country_code: 'IT',
    address_line_1: 'Via Roma 3',
    city: 'Trieste',
    state: 'Friuli',
  },
  {
    owner: 'second',
    currency: 'USD',
    account_holder: 'Tomás Okafor-Lindqvist',
    iban_number: 'CY17002001280000001200527600',
    swift: 'BCYPCY2N',
    bank_name: 'Bank of Nicosia',
    country_code: 'CY',
    address_line_1: '4 Stasinou',
    city: 'Nicosia',
    state: 'Nicosia',
  },
] as const

export type DemoTransaction = {
  login: string
  type: 'deposit' | 'withdrawal'
  amount: string
  state: 'pending' | 'approved' | 'rejected'
  daysAgo: number
  comment: string
  method?: string
  reason?: string
  note?: string
  /** A picture below receipts/ instead of a PDF. */
  picture?: string
  /** Above the amount from which on two people decide. */
  takesTwo?: true
}

/** Every state and both types; the pending ones are what staff find in their queue. */
export const transactions: DemoTransaction[] = [
  { login: '700123', type: 'deposit', amount: '5000.00', state: 'approved', daysAgo: 210, comment: 'First funding' },
  {
    login: '700123',
    type: 'deposit',
    amount: '8000.00',
    state: 'approved',
    daysAgo: 164,
    comment: 'Top-up after account review',
  },
  {
    login: '700124',
    type: 'deposit',
    amount: '5000.00',
    state: 'approved',
    daysAgo: 150,
    comment: 'EUR account opening',
  },
  {
    login: '700123',
    type: 'withdrawal',
    amount: '1500.00',
    state: 'approved',
    daysAgo: 121,
    comment: 'Withdrawal to Banca Adriatica',
  },
  {
    login: '700123',
    type: 'deposit',
    amount: '2500.00',
    state: 'rejected',
    daysAgo: 90,
    comment: 'Transfer from joint account',
    reason: 'name_differs',
    note: 'The sender was Hart & Sons Ltd.',
  },
  {
    login: '700124',
    type: 'withdrawal',
    amount: '400.00',
    state: 'rejected',
    daysAgo: 61,
    comment: 'Withdrawal request',
    reason: 'open_positions',
    note: 'Open positions needed the margin that day.',
  },
  { login: '700207', type: 'deposit', amount: '1000.00', state: 'approved', daysAgo: 55, comment: 'Initial deposit' },
  {
    login: '700124',
    type: 'withdrawal',
    amount: '180.00',
    state: 'approved',
    daysAgo: 33,
    comment: 'Profit for October',
  },
  {
    login: '400310',
    type: 'deposit',
    amount: '1000.00',
    state: 'approved',
    daysAgo: 18,
    comment: 'Monthly saving plan',
  },
  {
    login: '700123',
    type: 'deposit',
    amount: '250.00',
    state: 'rejected',
    daysAgo: 12,
    comment: 'Receipt attached',
    reason: 'receipt_unreadable',
  },
  {
    login: '700123',
    type: 'withdrawal',
    amount: '300.00',
    state: 'pending',
    daysAgo: 2,
    comment: 'To my EUR bank account',
  },
  {
    login: '400310',
    type: 'withdrawal',
    amount: '2600.00',
    state: 'pending',
    daysAgo: 1.1,
    comment: 'For a kitchen',
    takesTwo: true,
  },
  {
    login: '700207',
    type: 'deposit',
    amount: '15250.75',
    state: 'pending',
    daysAgo: 1.4,
    comment: 'Sale of fund units, see the receipt for the reference',
  },
  {
    login: '700124',
    type: 'deposit',
    amount: '750.00',
    state: 'pending',
    daysAgo: 1,
    comment: 'Transfer sent on Friday',
  },
  {
    login: '700123',
    type: 'deposit',
    amount: '1200.00',
    state: 'pending',
    daysAgo: 0.2,
    comment: 'November top-up',
    picture: 'transfer.png',
  },
]
