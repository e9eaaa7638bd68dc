import type { CallAnswer } from '@atrium/contract/call.ts'
import * as calls from '@atrium/contract/payments/providers.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FieldFor } from '../../api/form-errors.ts'
import { call } from '../../api/transport.ts'
import { useSavedForm } from '../../forms/use-saved-form.ts'
import { useSettingsTest } from '../../forms/use-settings-test.ts'

export type ProviderRow = CallAnswer<typeof calls.listProviders>['providers'][number]
export type Provider = CallAnswer<typeof calls.readProvider>['provider']

export const providersQuery = queryOptions({
  queryKey: ['desk-providers'],
  queryFn: async () => (await call(calls.listProviders, {})).providers,
})

export const providerQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-providers', id],
    queryFn: async () => (await call(calls.readProvider, { id })).provider,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })

function useKeep() {
  const queries = useQueryClient()
  return (provider: Provider) => {
    queries.setQueryData(providerQuery(provider._id).queryKey, provider)
    queries.invalidateQueries({ queryKey: providersQuery.queryKey, exact: true })
  }
}

export function useAddProvider() {
  const keep = useKeep()
  return useMutation({
    mutationFn: (app_uid: string) => call(calls.addProvider, { app_uid }),
    onSuccess: ({ provider }) => keep(provider),
  })
}

/** Saved independently of the form, whose values stay unchanged. */
export function useProviderLogo({ _id: id, has_own_logo, image_url }: Provider) {
  const queries = useQueryClient()
  const keep = useKeep()
  const seen = has_own_logo ? image_url : null
  return useMutation({
    mutationFn: (logo: string | null) => call(calls.setProviderLogo, { id, logo, seen }),
    onSuccess: ({ provider }) => keep(provider),
    // A colleague may have changed it.
    onError: () => queries.invalidateQueries({ queryKey: providerQuery(id).queryKey }),
  })
}

export const useTest = ({ _id: id, version }: Provider) =>
  useSettingsTest(version, () => call(calls.testProvider, { id }))

/** One section of a provider's settings; all sections share the provider's version. */
export function useProviderForm<Values extends object, Field extends string>(
  provider: Provider,
  fields: {
    labels: Record<Field, string>
    fieldFor?: FieldFor<Field>
    fieldsOf?: Partial<Record<keyof Values, Field[]>>
  },
  valuesOf: (provider: Provider) => Values,
  send: (values: Values, version: number) => Promise<{ provider: Provider }>,
) {
  const keep = useKeep()
  const queries = useQueryClient()
  return useSavedForm({
    ...fields,
    stored: provider,
    valuesOf,
    send: async (values: Values, version) => (await send(values, version)).provider,
    keep,
    readAgain: () => queries.fetchQuery(providerQuery(provider._id)),
  })
}
