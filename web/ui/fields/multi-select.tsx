import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { eachOnce } from '../text/each-once.ts'

/** Each value once, as in `Select`. */
export function MultiSelect({ data, ...props }: MultiSelectProps) {
  return <MantineMultiSelect {...props} data={useMemo(() => eachOnce(data ?? []), [data])} />
}
