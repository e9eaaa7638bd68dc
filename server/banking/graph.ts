import { countryByCode } from '@atrium/contract/members/countries.ts'
import { mediaUrl } from '../files/media.ts'
import { givenFilter } from '../foundation/database/paging.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { revisionOfBankAccount } from './bank-accounts.ts'
import { revisionOfFundAccount } from './fund-accounts.ts'
import {
  type BankAccountShape,
  type FundAccountShape,
  listBankAccounts,
  listCompanyBankAccounts,
  listFundAccounts,
} from './queries.ts'

/** Shared by `member` and `Query`: one statement for both. */
function ownBankAccounts({ read, member }: GraphContext): Promise<BankAccountShape[]> {
  return read((tx) => listBankAccounts(tx, member))
}

export function bankAccountsOf(context: GraphContext): Promise<BankAccountShape[]> {
  return context.own(ownBankAccounts)
}

const otherAccount = builder.objectRef<FundAccountShape>('OtherAccount')

export function describeBanking(): void {
  describeBankAccounts()
  describeOtherAccounts()
  builder.queryFields((t) => ({
    bank_accounts: t.field({
      scopes: ['deposit', 'withdraw', 'bank-accounts'],
      reads: 1,
      type: ['BankAccount'],
      resolve: (_root, _args, context) => bankAccountsOf(context),
    }),
    system_bank_accounts: t.field({
      scopes: ['deposit', 'withdraw', 'bank-accounts'],
      reads: 1,
      type: ['CompanyBankAccount'],
      resolve: (_root, _args, { read, member }) => read((tx) => listCompanyBankAccounts(tx, member)),
    }),
    other_accounts: t.field({
      scopes: ['withdraw', 'other-accounts'],
      reads: 1,
      type: [otherAccount],
      args: { type: t.arg.string() },
      resolve: (_root, { type }, { read, member }) =>
        read((tx) => listFundAccounts(tx, member, givenFilter(type) ?? null)),
    }),
  }))
}

function describeBankAccounts(): void {
  builder.objectType('BankAccount', {
    fields: (t) => ({
      _id: t.exposeID('bank_account_id'),
      currency: t.exposeString('currency'),
      account_holder: t.exposeString('account_holder'),
      bank_account: t.exposeString('bank_account', { nullable: true }),
      iban_number: t.exposeString('iban_number', { nullable: true }),
      swift: t.exposeString('swift'),
      bank_name: t.exposeString('bank_name'),
      country: t.field({ type: 'Country', nullable: true, resolve: (row) => countryByCode(row.country_code) }),
      address_line_1: t.exposeString('address_line_1', { nullable: true }),
      city: t.exposeString('city', { nullable: true }),
      state: t.exposeString('state', { nullable: true }),
      bank_branch: t.exposeString('bank_branch', { nullable: true }),
      postcode: t.exposeString('postcode', { nullable: true }),
      routing_number: t.exposeString('routing_number', { nullable: true }),
      usable_from: t.expose('usable_from', { type: 'Millis' }),
      revision: t.string({ resolve: revisionOfBankAccount }),
    }),
  })
  builder.objectType('CompanyBankAccount', {
    fields: (t) => ({
      _id: t.exposeID('company_bank_account_id'),
      currency: t.exposeString('currency'),
      account_holder: t.exposeString('account_holder'),
      bank_account: t.exposeString('bank_account', { nullable: true }),
      iban_number: t.exposeString('iban_number', { nullable: true }),
      swift: t.exposeString('swift', { nullable: true }),
      bank_name: t.exposeString('bank_name'),
      address_line_1: t.exposeString('address_line_1', { nullable: true }),
      identifier: t.exposeString('identifier', { nullable: true }),
      notes: t.exposeString('notes', { nullable: true }),
      sort_code: t.exposeString('sort_code', { nullable: true }),
    }),
  })
}

function describeOtherAccounts(): void {
  otherAccount.implement({
    fields: (t) => ({
      _id: t.exposeID('fund_account_id'),
      name: t.exposeString('name'),
      type: t.exposeString('type'),
      provider: t.exposeString('provider'),
      preferred_currency: t.exposeString('preferred_currency'),
      notes: t.exposeString('notes', { nullable: true }),
      address_id: t.exposeString('address_id'),
      address_tag: t.exposeString('address_tag', { nullable: true }),
      address_qr: t.field({ type: 'Image', nullable: true, resolve: pictureOf }),
      usable_from: t.expose('usable_from', { type: 'Millis' }),
      revision: t.string({ resolve: revisionOfFundAccount }),
    }),
  })
}

function pictureOf({ qr_media_id, qr_name }: FundAccountShape) {
  if (!qr_media_id || qr_name === null) return null
  const url = mediaUrl({ media_id: qr_media_id, name: qr_name })
  return { _id: qr_media_id, type: 'image', url, title: null, description: null }
}
