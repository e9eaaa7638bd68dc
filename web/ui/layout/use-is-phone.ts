import { useMediaQuery } from '@mantine/hooks'

export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
}

/** Phones and portrait tablets, where a wide table would scroll sideways: it becomes cards. */
export function useIsCompact(): boolean {
  return useMediaQuery('(max-width: 66em)', false, { getInitialValueInEffect: false })
}

/** Wide enough for a list and its detail side by side. */
export function useIsWide(): boolean {
  return useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
}
