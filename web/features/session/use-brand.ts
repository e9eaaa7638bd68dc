import { useQuery } from '@tanstack/react-query'
import { type Brand, rememberedBrand } from './brand-memory.ts'
import { settingsQuery } from './settings-query.ts'

/** The brand from the server, or the remembered one until the server answers. */
export const useBrand = (): Brand | null => useQuery(settingsQuery).data?.brand ?? rememberedBrand()
