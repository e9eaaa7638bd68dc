import { useMediaQuery } from '@mantine/hooks'

export const phoneQuery = '(max-width: 48em)'

export function useIsPhone(): boolean {
  return useMediaQuery(phoneQuery, false, { getInitialValueInEffect: false })
}

/** Room for a list and its detail side by side. */
export function useIsWide(): boolean {
  return useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
}
