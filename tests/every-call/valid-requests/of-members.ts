import { inTransaction } from '../../../server/foundation/database/database.ts'
import { writeEndToken } from '../../../server/notifications/notification-preferences.ts'
import { notify } from '../../../server/notifications/notify.ts'
import { startDeposit } from '../../../server/payments/start-deposit.ts'
import { makeUniqueToken } from '../../../server/sessions/unique-token.ts'
import { addFileCategory, kycDocumentMedia } from '../../fixtures/documents.ts'
import { ensureIdentityVendor } from '../../fixtures/identity/identity-vendors.ts'
import { addBankAccount, addFundAccount } from '../../fixtures/payments/money.ts'
import { ensureProvider } from '../../fixtures/payments/payment-providers.ts'
import { askWithdrawal, openWithdrawer, withdrawalInputOf } from '../../fixtures/payments/withdrawals.ts'
import { addMedia, addTerms, addUpload } from '../../fixtures/requests.ts'
import { makePdf, makePng, makeVideo } from '../../fixtures/sample-files.ts'
import { addAccount } from '../../fixtures/trading/platforms.ts'
import { approveDocuments } from '../../fixtures/workspaces.ts'
import {
  actorOf,
  addPlatformAccount,
  by,
  enterElsewhere,
  enterMember,
  type Fixture,
  newPassword,
  type Person,
  type Prepare,
  type ValidRequest,
} from './valid-request.ts'

const alone =
  (body: object = {}): Prepare =>
  async (fixture) =>
    by(await enterMember(fixture), { body })

async function picture({ setup: { system } }: Fixture, memberId: string): Promise<string> {
  return addMedia(system, { memberId, purpose: 'picture', kind: 'image', extension: 'png' })
}

async function qr({ setup: { system } }: Fixture, memberId: string): Promise<string> {
  return addMedia(system, { memberId, purpose: 'qr', kind: 'image', extension: 'png' })
}

async function deposit(fixture: Fixture): Promise<ValidRequest> {
  const person = await enterMember(fixture)
  const { system, platformId, beneficiaryId } = fixture.setup
  const body = {
    trading_account: await addAccount(system, { memberId: person.id, platformId }),
    amount: '10.00',
    comment: 'Transfer of this morning',
    origin: 'Members Bank',
    destination_id: beneficiaryId,
    files: [await addMedia(system, { memberId: person.id })],
    token_key: 'transaction_deposit',
    nonce_token: await makeUniqueToken(await actorOf(fixture, person), 'transaction_deposit'),
  }
  return by(person, { body })
}

/** Creating a SafeCharge payment page makes no request to the provider, so no simulator is needed. */
async function paymentBody(fixture: Fixture, person: Person) {
  const { system, platformId } = fixture.setup
  await ensureProvider(system)
  return {
    trading_account: await addAccount(system, { memberId: person.id, platformId }),
    amount: '10.00',
    payment_method: 'safecharge',
    country: 'MT',
    city: 'Valletta',
    address_line_1: '1 Harbour Street',
    phone: '+35621224455',
    email: 'mara@example.com',
    token_key: 'transaction_deposit' as const,
    nonce_token: await makeUniqueToken(await actorOf(fixture, person), 'transaction_deposit'),
  }
}

async function payment(fixture: Fixture): Promise<ValidRequest> {
  const person = await enterMember(fixture)
  return by(person, { body: await paymentBody(fixture, person) })
}

/** A member whose deposit awaits its payment. */
export async function startedDeposit(fixture: Fixture): Promise<Person & { order: string }> {
  const person = await enterMember(fixture)
  const { order } = await startDeposit(await actorOf(fixture, person), await paymentBody(fixture, person))
  return { ...person, order }
}

async function withdrawer(fixture: Fixture) {
  const person = await enterMember(fixture)
  return { person, ...(await openWithdrawer(fixture.setup, { member: await actorOf(fixture, person) })) }
}

async function withdrawal(fixture: Fixture): Promise<ValidRequest> {
  const { person, ...own } = await withdrawer(fixture)
  return by(person, { body: await withdrawalInputOf(own) })
}

async function pendingWithdrawal(fixture: Fixture): Promise<{ person: Person; id: string }> {
  const { person, ...own } = await withdrawer(fixture)
  return { person, id: await askWithdrawal(own) }
}

const opening =
  (group: string): Prepare =>
  async (fixture) => {
    const person = await enterMember(fixture)
    const { system, platformId } = fixture.setup
    await approveDocuments(system, person.id)
    const body = {
      initial_deposit: 0,
      main_password: 'Tidal-Gauge-71',
      trading_platform: platformId,
      group,
      leverage: 100,
    }
    return by(person, { body })
  }

/** The account also exists on the platform, under a login that no other request uses. */
async function tradingPassword(fixture: Fixture): Promise<ValidRequest> {
  const person = await enterMember(fixture)
  const id = await addPlatformAccount(fixture, person)
  return by(person, { places: { id }, body: { new_password: 'Tidal#Gauge71' } })
}

/** Separate terms that block no other request: none uses the section that they block. */
async function acceptance(fixture: Fixture): Promise<ValidRequest> {
  const id = await addTerms(fixture.setup.staff, { blocked_portal_sections: ['downloads'] })
  return by(await enterMember(fixture), { body: { id } })
}

const bank = {
  currency: 'EUR',
  account_holder: 'Mara Member',
  iban_number: 'DE89 3704 0044 0532 0130 00',
  swift: 'DEUTDEFF',
  bank_name: 'Members Bank',
  address_line_1: '1 Bank Street',
  city: 'Frankfurt',
  state: 'Hesse',
  country: 'DE',
}

const wallet = {
  type: 'crypto',
  name: 'Savings',
  provider: 'Ledger',
  preferred_currency: 'BTC',
  address_id: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
}

/** A request about a notification that the member has just received. */
const withNotification =
  (ask: (notification: { id: string; number: number }) => Partial<ValidRequest>): Prepare =>
  async (fixture) => {
    const person = await enterMember(fixture)
    const { system } = fixture.setup
    await inTransaction(system, (tx) =>
      notify(tx, system, {
        memberId: person.id,
        kind: 'deposit.approved',
        dedupeKey: 'for-the-tests',
        title: 'Deposit T-{{ticket}} was credited',
        body: '',
        details: { ticket: '1001' },
        target: { kind: 'transaction' },
      }),
    )
    const { body } = await fixture.caller.get('/members/notices', person.token)
    const [notification] = body.notices as { _id: string; number: number }[]
    return by(person, ask({ id: notification?._id ?? '', number: notification?.number ?? 0 }))
  }

export const requestsOfMembers: Record<string, Prepare> = {
  'POST /members/notices/:id/read': withNotification(({ id }) => ({ places: { id } })),
  'POST /members/notices/read-all': withNotification(({ number }) => ({ body: { number } })),
  'POST /members/notices/end-mails': async (fixture) => {
    const { id: memberId, email } = await enterMember(fixture)
    return { actorId: null, body: { token: writeEndToken(fixture.setup.system, { memberId, email }, 'support') } }
  },
  'POST /members/activity': async (fixture) => {
    const person = await enterMember(fixture)
    fixture.setup.context.clock.advance(61_000)
    return by(person, { body: { mouse: true } })
  },
  'POST /members/change-password': alone(newPassword),
  'POST /users/change-password': alone(newPassword),
  'POST /members/sessions/end': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { body: { _id: await enterElsewhere(fixture.setup.system, 'member', person) } })
  },
  'POST /members/sessions/end-others': async (fixture) => {
    const person = await enterMember(fixture)
    await enterElsewhere(fixture.setup.system, 'member', person)
    return by(person)
  },
  'POST /members/profile/picture': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { body: { media: await picture(fixture, person.id) } })
  },
  'POST /members/profile/picture/remove': async (fixture) => {
    const person = await enterMember(fixture)
    const media = await picture(fixture, person.id)
    await fixture.caller.post('/members/profile/picture', { media }, person.token)
    return by(person)
  },
  'POST /members/accept-terms': acceptance,
  'POST /members/accept-terms/': acceptance,
  'POST /media/cp-upload-image': async (fixture) =>
    by(await enterMember(fixture), {
      query: 'purpose=receipt',
      file: { name: 'a.png', content: makePng({ width: 8, height: 8 }) },
    }),
  'POST /media/cp-upload-file': async (fixture) =>
    by(await enterMember(fixture), { query: 'purpose=receipt', file: { name: 'a.pdf', content: makePdf() } }),
  'POST /media/cp-upload-video': async (fixture) =>
    by(await enterMember(fixture), { file: { name: 'a.mp4', content: makeVideo() } }),
  'POST /media/finish-upload': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { body: { upload: await addUpload(fixture.setup.system, { memberId: person.id }) } })
  },
  'POST /clients/add-documents': async (fixture) => {
    const person = await enterMember(fixture)
    const { system } = fixture.setup
    const category = await addFileCategory(system, { required: false })
    const media = await addMedia(system, { memberId: person.id, ...kycDocumentMedia })
    const customer = person.id
    return by(person, {
      body: { customer, documents: [media], category: category.id, valid_document: category.validDocuments[0] },
    })
  },
  'POST /clients/start-identity-check': async (fixture) => {
    await ensureIdentityVendor(fixture.setup.system)
    return by(await enterMember(fixture))
  },
  'POST /members/deposits/create': deposit,
  'POST /members/bank-accounts/create': alone(bank),
  'POST /members/bank-accounts/update': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { body: { ...bank, _id: await addBankAccount(fixture.setup.system, { memberId: person.id }) } })
  },
  'POST /members/bank-accounts/:id/delete': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { places: { id: await addBankAccount(fixture.setup.system, { memberId: person.id }) } })
  },
  'POST /members/fund-accounts/create': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { body: { ...wallet, address_qr: await qr(fixture, person.id) } })
  },
  'POST /members/fund-accounts/update': async (fixture) => {
    const person = await enterMember(fixture)
    const _id = await addFundAccount(fixture.setup.system, { memberId: person.id })
    return by(person, { body: { ...wallet, _id, address_qr: await qr(fixture, person.id) } })
  },
  'POST /members/fund-accounts/:id/delete': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { places: { id: await addFundAccount(fixture.setup.system, { memberId: person.id }) } })
  },
  'POST /customers/trading-accounts/start-deposit': payment,
  'POST /customers/trading-accounts/deposit-status': async (fixture) => {
    const { order, ...person } = await startedDeposit(fixture)
    return by(person, { body: { order } })
  },
  'POST /members/withdrawals/create': withdrawal,
  'POST /members/deposits/:id/delete': async (fixture) => {
    const { person, id } = await pendingWithdrawal(fixture)
    return by(person, { places: { id }, body: {} })
  },
  'POST /customers/trading-accounts/change-transaction-state': async (fixture) => {
    const { person, id } = await pendingWithdrawal(fixture)
    return by(person, { body: { id } })
  },
  'POST /members/trading/open-live-account': opening('real\\standard-usd'),
  'POST /members/trading/open-demo-account': opening('demo\\standard-usd'),
  'POST /members/trading-accounts/:id/change-password': tradingPassword,
  'POST /members/trading-accounts/:id/change-investor-password': tradingPassword,
}
