import type { ReactNode } from 'react'
import type { Meaning } from '../brand/theme.ts'
import parts from './chart-frame.module.css'

export type ReadingLine = { label: string; meaning: Meaning | 'accent'; value: ReactNode }

/** The tooltip at the position of the pointer or of the arrow keys. */
export function Reading({ title, lines }: { title: string; lines: ReadingLine[] }) {
  return (
    <div className={parts.reading} role="status">
      <p>{title}</p>
      <dl>
        {lines.map(({ label, meaning, value }) => (
          <div key={label}>
            <dt className={parts[meaning]}>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
