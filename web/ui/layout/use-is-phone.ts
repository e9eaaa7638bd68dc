import { useMediaQuery } from '@mantine/hooks'

export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
}

/** Phones and upright tablets, where a table of money would have to be pushed sideways: it becomes cards. */
export function useIsCompact(): boolean {
  return useMediaQuery('(max-width: 66em)', false, { getInitialValueInEffect: false })
}

/** Room for a list and its detail side by side. */
export function useIsWide(): boolean {
  return useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
}
