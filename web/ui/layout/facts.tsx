import type { ReactNode } from 'react'
import { CopyButton } from '../feedback/copy-button.tsx'
import parts from './facts.module.css'

export type Fact = { name: string; value: ReactNode; copy?: string | undefined }

/** Names and values, separated by hairlines. Facts without a value are omitted. */
export function Facts({ facts }: { facts: Fact[] }) {
  const known = facts.filter(({ value }) => value !== null && value !== undefined && value !== '')
  return (
    <dl data-stack="none">
      {known.map(({ name, value, copy }) => (
        <div key={name} className={parts.fact}>
          <dt className={parts.name}>{name}</dt>
          <dd className={parts.value}>
            <span>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</span>
            {copy && <CopyButton value={copy} name={name} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
