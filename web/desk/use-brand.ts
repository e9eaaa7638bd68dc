import { useQuery } from '@tanstack/react-query'
import { type Brand, rememberedBrand } from '../features/session/brand-memory.ts'
import { settingsQuery } from '../features/session/settings-query.ts'

const unbranded: Brand = { name: 'Atrium', accent: '', logo_url: null, support_email: null }

/** The workspace's brand; the cached one until the answer arrives. */
export function useBrand(): Brand & { isDemo: boolean } {
  const settings = useQuery(settingsQuery)
  return { ...(settings.data?.brand ?? rememberedBrand() ?? unbranded), isDemo: settings.data?.demo === true }
}
