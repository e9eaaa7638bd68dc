import type { CallAnswer } from '@atrium/contract/call.ts'
import * as calls from '@atrium/contract/platforms/desk-calls.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { useSavedForm } from '../../forms/use-saved-form.ts'
import { useSettingsTest } from '../../forms/use-settings-test.ts'

export type PlatformRow = CallAnswer<typeof calls.listPlatforms>['platforms'][number]
export type Platform = CallAnswer<typeof calls.readPlatform>['platform']

export const platformsQuery = queryOptions({
  queryKey: ['desk-platforms'],
  queryFn: async () => (await call(calls.listPlatforms, {})).platforms,
})

export const platformQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-platforms', id],
    queryFn: async () => (await call(calls.readPlatform, { id })).platform,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })

/** The groups on the platform itself; requested only for the picker, because a platform may be slow. */
export const platformGroupsQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-platform-groups', id],
    queryFn: async () => (await call(calls.listPlatformGroups, { id })).groups,
    retry: false,
    staleTime: 60_000,
  })

function useKeep() {
  const queries = useQueryClient()
  return (platform: Platform) => {
    queries.setQueryData(platformQuery(platform._id).queryKey, platform)
    queries.invalidateQueries({ queryKey: platformsQuery.queryKey, exact: true })
  }
}

export function useAddPlatform() {
  const keep = useKeep()
  return useMutation({
    mutationFn: (given: { type: Platform['type']; name: string }) => call(calls.addPlatform, given),
    onSuccess: ({ platform }) => keep(platform),
  })
}

export const useTry = ({ _id: id, version }: Platform) =>
  useSettingsTest(version, () => call(calls.tryPlatform, { id }))

/** One section of a platform's settings; all sections share the platform's version. */
export function usePlatformForm<Values extends object, Field extends string>(
  platform: Platform,
  labels: Record<Field, string>,
  valuesOf: (platform: Platform) => Values,
  send: (values: Values, version: number) => Promise<{ platform: Platform }>,
  { isWaiting = false }: { isWaiting?: boolean } = {},
) {
  const keep = useKeep()
  const queries = useQueryClient()
  return useSavedForm({
    stored: platform,
    labels,
    valuesOf,
    isWaiting,
    send: async (values: Values, version) => (await send(values, version)).platform,
    keep,
    readAgain: () => queries.fetchQuery(platformQuery(platform._id)),
  })
}
