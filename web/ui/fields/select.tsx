import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { eachOnce } from '../text/each-once.ts'

/** Mantine's select throws on duplicate values; data or a browser's list must not break the page, so they are removed. */
export function Select({ data, ...props }: SelectProps) {
  return <MantineSelect {...props} data={useMemo(() => eachOnce(data ?? []), [data])} />
}
