import { readSetup } from '@atrium/contract/workspace-settings/setup.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

export const setupQuery = queryOptions({
  queryKey: ['desk-setup'],
  queryFn: async () => (await call(readSetup, {}, { isQuiet: true })).steps,
  staleTime: 30_000,
})
