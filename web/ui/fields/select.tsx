import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { uniqueOptions } from '../text/unique-options.ts'

/** Mantine's select throws on duplicate values; data or a browser's list must not break the page, so they are removed. */
export function Select({ data, ...props }: SelectProps) {
  // A press on a read-only one would open its list once it can be changed again.
  const closed = props.readOnly && { dropdownOpened: false }
  return <MantineSelect {...props} {...closed} data={useMemo(() => uniqueOptions(data ?? []), [data])} />
}
