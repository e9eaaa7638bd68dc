import { queryOptions } from '@tanstack/react-query'
import { readSettings } from '../../api/first-calls.ts'
import { call } from '../../api/transport.ts'
import { rememberBrand } from './brand-memory.ts'

/** Brand and flags of the workspace; readable without a session. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async () => {
    const { settings } = await call(readSettings, {})
    rememberBrand(settings.brand)
    return settings
  },
  staleTime: 300_000,
})
