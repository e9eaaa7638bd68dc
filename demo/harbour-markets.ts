import { features } from '@atrium/contract/access/scopes.ts'

/** The demo brokerage and its people. Constants, because the README and the start screen name them. */
export const demoPassword = 'Harbour-2026'

export const signIns = {
  member: 'member@atrium.demo',
  second: 'second@atrium.demo',
  new: 'new@atrium.demo',
  verifying: 'verifying@atrium.demo',
  asia: 'asia@atrium.demo',
  sales: 'sales@atrium.demo',
  staff: 'staff@atrium.demo',
} as const

/** The other staff of the demo, with various roles and the same password. */
export const colleagues = [
  { name: 'Tomas Zammit', email: 'finance@atrium.demo', role: 'finance', status: 'active' },
  { name: 'Ines Borg', email: 'support@atrium.demo', role: 'support', status: 'active' },
  { name: 'Karl Attard', email: 'compliance@atrium.demo', role: 'compliance', status: 'invited' },
]

/** An amount in dollars, euros or pounds, and its approximate value in yuan and dong. */
const inEach = (usual: string, CNY: string, VND: string) =>
  Object.entries({ USD: usual, EUR: usual, GBP: usual, CNY, VND }).map(([currency, above]) => ({ currency, above }))

export const brokerage = {
  subdomain: 'harbour',
  name: 'Harbour Markets',
  accent: '#0f6b6b',
  logo_url: '/brand/harbour-markets.svg',
  support_email: 'support@harbour-markets.example',
  features: Object.fromEntries(features.map((feature) => [feature, true])),
  vendors: ['Harbour Markets', 'Harbour Prime'],
  departments: ['Funding', 'Compliance', 'Support'],
  /** The demo signs in with a password only; a real brokerage requires a second factor of its staff. */
  settings: {
    second_factor_staff: 'optional',
    /** Low enough that some of the demo's withdrawals need two people. */
    withdrawal_four_eyes_above: inEach('2500', '18000', '65000000'),
    /** The demo has one person at the desk, who must be able to approve every deposit. */
    deposit_second_approval: 'own',
    deposit_second_approval_above: inEach('10000', '72000', '260000000'),
    /** These providers pay out automatically; money taken in by the demo's other providers is paid out by hand. */
    withdrawal_rules: [
      {
        ...{ method: 'psp:zotapay', currency: '*', enabled: true },
        ...{ fee_fixed: '2', fee_percent: '0', minimum: '20', maximum: '5000' },
      },
      ...['psp:skrill', 'psp:neteller'].map((method) => ({
        ...{ method, currency: '*', enabled: true },
        ...{ fee_fixed: '0', fee_percent: '1', minimum: '10', maximum: '5000' },
      })),
      {
        ...{ method: 'psp:coinpayments', currency: '*', enabled: true },
        ...{ fee_fixed: '5', fee_percent: '0', minimum: '50', maximum: '20000' },
      },
      {
        ...{ method: 'psp:safecharge', currency: '*', enabled: true },
        ...{ fee_fixed: '0', fee_percent: '0', minimum: '10', maximum: '5000' },
      },
      ...['psp:rpnpay', 'psp:sdsystem'].map((method) => ({
        ...{ method, currency: 'CNY', enabled: true },
        ...{ fee_fixed: '15', fee_percent: '0', minimum: '100', maximum: '50000' },
      })),
    ],
    vendor_settings: { 'Harbour Prime': { name: 'Harbour Prime', accent: '#6d28d9', default_currency: 'EUR' } },
  },
}

export const people = {
  member: {
    joinedDaysAgo: 242,
    customer_number: '100417',
    title: 'Ms',
    first_name: 'Amelia',
    last_name: 'Hart',
    phones: ['+356 2122 4455'],
    documents_status: 'approved',
    address: { address_line_1: '14 Strait Street', city: 'Valletta', postcode: 'VLT 1432', country_code: 'MT' },
  },
  second: {
    joinedDaysAgo: 205,
    customer_number: '100418',
    title: 'Mr',
    first_name: 'Tomás',
    last_name: 'Okafor-Lindqvist',
    phones: ['+357 22 445 566'],
    documents_status: 'approved',
    address: { address_line_1: '7 Ledra Street', city: 'Nicosia', postcode: '1011', country_code: 'CY' },
  },
  new: {
    joinedDaysAgo: 0,
    customer_number: '100533',
    title: null,
    first_name: 'Yuki',
    last_name: 'Tanabe',
    phones: [],
    documents_status: 'pending',
    address: null,
  },
  verifying: {
    joinedDaysAgo: 9,
    customer_number: '100529',
    title: 'Ms',
    first_name: 'Sofia',
    last_name: 'Marinescu',
    phones: ['+40 21 312 4455'],
    documents_status: 'in_verification',
    address: { address_line_1: '22 Strada Lipscani', city: 'Bucharest', postcode: '030034', country_code: 'RO' },
  },
  asia: {
    joinedDaysAgo: 131,
    customer_number: '100466',
    title: 'Mr',
    first_name: 'Minh',
    last_name: 'Tran',
    phones: ['+84 28 3829 5000'],
    documents_status: 'approved',
    address: { address_line_1: '86 Le Thanh Ton', city: 'Ho Chi Minh City', postcode: '700000', country_code: 'VN' },
  },
  sales: {
    joinedDaysAgo: 380,
    customer_number: '100044',
    title: 'Mr',
    first_name: 'Luca',
    last_name: 'Farrugia',
    phones: ['+356 7900 1144'],
    documents_status: 'approved',
    address: { address_line_1: '3 Old Bakery Street', city: 'Valletta', postcode: 'VLT 1450', country_code: 'MT' },
  },
} as const

export const platforms = [
  {
    type: 'mt5',
    name: 'Harbour MT5',
    client_server: 'HarbourMarkets-Server',
    groups: [
      { name: 'real\\standard-usd', alias: 'Standard USD', currency: 'USD' },
      { name: 'real\\standard-eur', alias: 'Standard EUR', currency: 'EUR' },
      { name: 'real\\standard-cny', alias: 'Standard CNY', currency: 'CNY' },
      { name: 'real\\standard-vnd', alias: 'Standard VND', currency: 'VND' },
      { name: 'demo\\standard-usd', alias: 'Demo', currency: 'USD' },
    ],
  },
  {
    type: 'mt4',
    name: 'Harbour MT4',
    client_server: 'HarbourMarkets-Classic',
    groups: [
      { name: 'real-usd', alias: 'Classic USD', currency: 'USD' },
      { name: 'real-eur', alias: 'Classic EUR', currency: 'EUR' },
      { name: 'demo-usd', alias: 'Classic demo', currency: 'USD' },
    ],
  },
] as const

export type DemoAccount = {
  platform: 'mt5' | 'mt4'
  /** One of `people`, or another member. */
  owner: string
  login: string
  group: string
  currency: string
  live: boolean
  leverage: number
  balance: string
  city: string
  country: string
}

export const accounts: DemoAccount[] = [
  {
    owner: 'member',
    platform: 'mt5',
    login: '700123',
    group: 'real\\standard-usd',
    currency: 'USD',
    live: true,
    leverage: 200,
    balance: '12500.00',
    city: 'Valletta',
    country: 'MT',
  },
  {
    owner: 'member',
    platform: 'mt5',
    login: '700124',
    group: 'real\\standard-eur',
    currency: 'EUR',
    live: true,
    leverage: 100,
    balance: '4820.50',
    city: 'Valletta',
    country: 'MT',
  },
  {
    owner: 'member',
    platform: 'mt5',
    login: '700901',
    group: 'demo\\standard-usd',
    currency: 'USD',
    live: false,
    leverage: 500,
    balance: '50000.00',
    city: 'Valletta',
    country: 'MT',
  },
  {
    owner: 'member',
    platform: 'mt4',
    login: '400310',
    group: 'real-usd',
    currency: 'USD',
    live: true,
    leverage: 300,
    balance: '3150.00',
    city: 'Valletta',
    country: 'MT',
  },
  {
    owner: 'member',
    platform: 'mt4',
    login: '400901',
    group: 'demo-usd',
    currency: 'USD',
    live: false,
    leverage: 100,
    balance: '10000.00',
    city: 'Valletta',
    country: 'MT',
  },
  {
    owner: 'second',
    platform: 'mt5',
    login: '700207',
    group: 'real\\standard-usd',
    currency: 'USD',
    live: true,
    leverage: 100,
    balance: '990.00',
    city: 'Nicosia',
    country: 'CY',
  },
  {
    owner: 'asia',
    platform: 'mt5',
    login: '700311',
    group: 'real\\standard-cny',
    currency: 'CNY',
    live: true,
    leverage: 100,
    balance: '36000.00',
    city: 'Ho Chi Minh City',
    country: 'VN',
  },
  {
    owner: 'asia',
    platform: 'mt5',
    login: '700312',
    group: 'real\\standard-vnd',
    currency: 'VND',
    live: true,
    leverage: 100,
    balance: '82000000',
    city: 'Ho Chi Minh City',
    country: 'VN',
  },
  {
    owner: 'verifying',
    platform: 'mt5',
    login: '700331',
    group: 'real\\standard-usd',
    currency: 'USD',
    live: true,
    leverage: 100,
    balance: '500.00',
    city: 'Bucharest',
    country: 'RO',
  },
]
