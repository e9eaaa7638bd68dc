import {
  changeIdentityVendor,
  type DeskVendor,
  listIdentityVendors,
} from '@atrium/contract/identity-vendors/desk-calls.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { useSavedForm } from '../../forms/use-saved-form.ts'

export const vendorsQuery = queryOptions({
  queryKey: ['desk-identity-vendors'],
  queryFn: async () => (await call(listIdentityVendors, {})).vendors,
  staleTime: 0,
  refetchOnWindowFocus: false,
})

const valuesOf = ({ enabled, settings }: DeskVendor) => ({
  enabled,
  settings: Object.fromEntries(settings.map(({ name, value }) => [name, value ?? ''])) as Record<string, string>,
})

export function useVendorForm(vendor: DeskVendor) {
  const queries = useQueryClient()
  const mine = (all: DeskVendor[]) => all.find(({ app_uid }) => app_uid === vendor.app_uid) ?? vendor
  return useSavedForm({
    stored: vendor,
    labels: Object.fromEntries(vendor.settings.map(({ name, label }) => [name, label])),
    fieldsOf: { settings: vendor.settings.map(({ name }) => name) },
    valuesOf,
    send: async (values: ReturnType<typeof valuesOf>, version) => {
      const { vendors } = await call(changeIdentityVendor, { app_uid: vendor.app_uid, version, ...values })
      queries.setQueryData(vendorsQuery.queryKey, vendors)
      return mine(vendors)
    },
    keep: () => undefined,
    readAgain: async () => mine(await queries.fetchQuery(vendorsQuery)),
  })
}
