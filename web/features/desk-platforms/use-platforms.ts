import type { CallAnswer } from '@atrium/contract/call.ts'
import * as calls from '@atrium/contract/desk-platforms.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'

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

/** The groups that the platform itself knows: asked when somebody picks, since a platform may be slow. */
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

export function useTry(id: string) {
  return useMutation({ mutationFn: () => call(calls.tryPlatform, { id }) })
}

/** One part of a platform's form: what it began with, what is in it now, and how it is saved. */
export function usePlatformForm<Values>(
  platform: Platform,
  valuesOf: (platform: Platform) => Values,
  send: (values: Values, version: number) => Promise<{ platform: Platform }>,
) {
  const keep = useKeep()
  const queries = useQueryClient()
  const [start, setStart] = useState(platform)
  const [values, setValues] = useState(() => valuesOf(platform))
  const begin = (from: Platform) => {
    setStart(from)
    setValues(valuesOf(from))
  }
  const save = useMutation({
    mutationFn: () => send(values, start.version),
    onSuccess: ({ platform: saved }) => {
      keep(saved)
      begin(saved)
    },
  })
  const fieldErrors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return {
    values,
    change: (part: Partial<Values>) => setValues((before) => ({ ...before, ...part })),
    isDirty: JSON.stringify(values) !== JSON.stringify(valuesOf(start)),
    undo: () => {
      setValues(valuesOf(start))
      save.reset()
    },
    /** What somebody else saved meanwhile, in place of what stands here. */
    async reload() {
      begin(await queries.fetchQuery(platformQuery(platform._id)))
      save.reset()
    },
    save,
    isLate: save.error instanceof ApiError && save.error.code === 'conflict',
    hasFieldErrors: Object.keys(fieldErrors).length > 0,
    errorOf: (field: string) => fieldErrors[field]?.join(' '),
  }
}
