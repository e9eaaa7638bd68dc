import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { uniqueOptions } from '../text/unique-options.ts'

/** Each value once, as in `Select`. */
export function MultiSelect({ data, ...props }: MultiSelectProps) {
  return <MantineMultiSelect {...props} data={useMemo(() => uniqueOptions(data ?? []), [data])} />
}
