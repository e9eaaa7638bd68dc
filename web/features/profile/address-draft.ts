import type { CallInput } from '@atrium/contract/call.ts'
import { addressInput, type saveAddresses } from '@atrium/contract/members/calls.ts'
import { type Errors, fieldsBy, schemaErrors } from '../../api/form-errors.ts'
import type { Profile } from './use-profile.ts'

type Address = Profile['addresses'][number]
type Wanted = CallInput<typeof saveAddresses>['addresses'][number]

/** In the order of the dialog. */
export const addressLabels = {
  address_line_1: 'Street and number',
  address_line_2: 'Floor, flat or company (optional)',
  city: 'City',
  postcode: 'Postcode (optional)',
  state: 'State or province (optional)',
  country: 'Country',
}
export type AddressField = keyof typeof addressLabels

/** The address being edited; without an id it is a new one. */
export type AddressDraft = Record<AddressField, string> & { _id?: string; primary: boolean }

export function draftOf(address: Address | null, isFirst: boolean): AddressDraft {
  return {
    ...(address && { _id: address._id }),
    address_line_1: address?.address_line_1 ?? '',
    address_line_2: address?.address_line_2 ?? '',
    city: address?.city ?? '',
    postcode: address?.postcode ?? '',
    state: address?.state ?? '',
    country: address?.country?._id ?? '',
    primary: address?.primary ?? isFirst,
  }
}

/** By the same rule as the server. */
export const checkAddress = (draft: AddressDraft): Errors<AddressField> =>
  schemaErrors(addressInput, draft, fieldsBy(addressLabels))

const asWanted = (address: Address): Wanted => draftOf(address, false)

/** All addresses with this one changed or added. Exactly one is primary. */
export function withAddress(addresses: Address[], draft: AddressDraft): Wanted[] {
  const isKept = addresses.some(({ _id }) => _id === draft._id)
  // An address that was deleted elsewhere meanwhile is created again.
  const { _id, ...fields } = draft
  const changed: Wanted = isKept && _id ? { ...fields, _id } : fields
  const others = addresses.filter((address) => address._id !== _id).map(asWanted)
  if (changed.primary) return [changed, ...others.map((address) => ({ ...address, primary: false }))]
  return withPrimary([...others, changed])
}

export function withoutAddress(addresses: Address[], id: string | undefined): Wanted[] {
  return withPrimary(addresses.filter(({ _id }) => _id !== id).map(asWanted))
}

const withPrimary = (list: Wanted[]): Wanted[] =>
  list.some(({ primary }) => primary) ? list : list.map((address, index) => ({ ...address, primary: index === 0 }))
