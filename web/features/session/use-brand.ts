import { useQuery } from '@tanstack/react-query'
import { type Brand, rememberedBrand } from './brand-memory.ts'
import { settingsQuery } from './session.ts'

/** As the server has it, or as it was when it was last seen. */
export const useBrand = (): Brand | null => useQuery(settingsQuery).data?.brand ?? rememberedBrand()
