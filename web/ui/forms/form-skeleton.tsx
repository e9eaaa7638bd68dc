import { Skeleton } from '@mantine/core'
import parts from './form-skeleton.module.css'

const rows = ['first', 'second', 'third', 'fourth']

/** A loading placeholder in the shape of a form. */
export function FormSkeleton({ label }: { label: string }) {
  return (
    <div className={parts.layout} role="status" aria-label={label}>
      <div data-stack="xl">
        {rows.map((row) => (
          <div key={row} data-stack="sm">
            <Skeleton height={12} width={110} />
            <Skeleton height={44} />
          </div>
        ))}
      </div>
      <Skeleton height={260} radius={12} />
    </div>
  )
}
