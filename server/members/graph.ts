import { countryByCode } from '@atrium/contract/members/countries.ts'
import { accountsOf, storedAccounts } from '../accounts/graph.ts'
import { bankAccountsOf } from '../banking/graph.ts'
import { mediaUrl } from '../files/media.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { selectedFields } from '../graphql/selection.ts'
import { ownTexts } from './member-columns.ts'
import {
  type AddressShape,
  fieldsOfOtherTables,
  listAddresses,
  type MemberShape,
  readMember,
  readMemberAlone,
} from './queries.ts'

/** The member in GraphQL; other domains add their own fields. */
export const customer = builder.objectRef<MemberShape>('Customer')
const address = builder.objectRef<AddressShape>('Address')

/** The signed-in member's own row, with the columns that the fields need. */
async function readSelf({ read, member }: GraphContext, fields: readonly string[]): Promise<MemberShape | null> {
  const isWhole = fields.some((field) => fieldsOfOtherTables.includes(field))
  return (await read((tx) => (isWhole ? readMember(tx, member) : readMemberAlone(tx, member)))) ?? null
}

export function describeMembers(): void {
  address.implement({
    fields: (t) => ({
      _id: t.exposeID('address_id'),
      address_line_1: t.exposeString('address_line_1', { nullable: true }),
      address_line_2: t.exposeString('address_line_2', { nullable: true }),
      city: t.exposeString('city', { nullable: true }),
      postcode: t.exposeString('postcode', { nullable: true }),
      state: t.exposeString('state', { nullable: true }),
      primary: t.exposeBoolean('is_primary'),
      country: t.field({ type: 'Country', nullable: true, resolve: (row) => countryByCode(row.country_code) }),
    }),
  })
  describeCustomer()
  builder.queryFields((t) => ({
    current_member: t.field({
      scopes: ['all'],
      beforeTerms: true,
      reads: 1,
      type: customer,
      nullable: true,
      resolve: (_root, _args, context, info) => {
        // Reads accounts together with the member; a member without access to them is refused at their field.
        const fields = selectedFields(info)
        if (fields.includes('accounts'))
          storedAccounts(context, selectedFields(info, 'accounts')).catch(() => undefined)
        return readSelf(context, fields)
      },
    }),
  }))
}

function pictureOf({ picture_media_id, picture_name }: MemberShape) {
  if (picture_media_id === null || picture_name === null) return null
  const url = mediaUrl({ media_id: picture_media_id, name: picture_name })
  return { _id: picture_media_id, type: 'image', url, title: null, description: null }
}

function describeCustomer(): void {
  customer.implement({
    fields: (t) => ({
      _id: t.exposeID('member_id'),
      ...Object.fromEntries(ownTexts.map((name) => [name, t.exposeString(name, { nullable: true })])),
      name: t.string({ resolve: (row) => `${row.first_name} ${row.last_name}` }),
      first_name: t.exposeString('first_name'),
      last_name: t.exposeString('last_name'),
      profile_pic: t.field({ type: 'Image', nullable: true, resolve: pictureOf }),
      phones: t.exposeStringList('phones', { scopes: ['profile', 'deposit'], usualLength: 3 }),
      emails: t.stringList({
        scopes: ['profile', 'deposit'],
        usualLength: 3,
        resolve: (row) => (row.emails.length > 0 ? row.emails : [row.email]),
      }),
      addresses: t.field({
        scopes: ['profile', 'deposit'],
        reads: 1,
        usualLength: 3,
        type: [address],
        resolve: (_row, _args, { read, member }) => read((tx) => listAddresses(tx, member)),
      }),
      customer_number: t.exposeString('customer_number'),
      documents_status: t.exposeString('documents_status'),
      kyc_category_id: t.exposeID('kyc_category_id', { nullable: true }),
      type: t.exposeString('type'),
      profile_version: t.exposeInt('profile_version'),
      accounts_live_count: t.exposeInt('live_count'),
      accounts_demo_count: t.exposeInt('demo_count'),
      accounts: t.field({
        scopes: ['my_accounts', 'deposit', 'withdraw', 'downloads'],
        reads: 1,
        usualLength: 20,
        type: ['TradingAccount'],
        args: { sync: t.arg.boolean({ defaultValue: false }) },
        resolve: (_row, args, context, info) => accountsOf(context, args.sync ?? false, selectedFields(info)),
      }),
      bank_accounts: t.field({
        scopes: ['deposit', 'withdraw', 'bank-accounts'],
        reads: 1,
        type: ['BankAccount'],
        resolve: (_row, _args, context) => bankAccountsOf(context),
      }),
    }),
  })
}
