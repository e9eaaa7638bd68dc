import {
  MultiSelect as MantineMultiSelect,
  Select as MantineSelect,
  type MultiSelectProps,
  type SelectProps,
} from '@mantine/core'
import { useMemo } from 'react'
import { eachOnce } from '../text/each-once.ts'

/** Mantine's, which throws over a value that is offered twice: what data or a browser lists must not take the page away. */
export function Select({ data, ...props }: SelectProps) {
  return <MantineSelect {...props} data={useMemo(() => eachOnce(data ?? []), [data])} />
}

export function MultiSelect({ data, ...props }: MultiSelectProps) {
  return <MantineMultiSelect {...props} data={useMemo(() => eachOnce(data ?? []), [data])} />
}
