import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'

type RowListProps = {
  label: string
  /** The feature's own classes for the list and its rows. */
  styles: { list?: string | undefined; row?: string | undefined }
  skeleton: number
  /** Undefined while loading: a skeleton is shown instead. */
  children: ReactNode[] | undefined
}

export function RowList({ label, styles, skeleton, children }: RowListProps) {
  return (
    <ul className={styles.list} aria-label={label} aria-busy={!children}>
      {children ??
        Array.from({ length: skeleton }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same, and never move
          <li key={index} className={styles.row} aria-hidden>
            <Skeleton height={14} width="40%" />
          </li>
        ))}
    </ul>
  )
}
