import type { ReactNode } from 'react'
import type { Meaning } from '../brand/theme.ts'
import parts from './steps.module.css'

export type Step = {
  key: string
  title: string
  /** When and who. */
  by?: ReactNode
  note?: ReactNode
  meaning: Meaning
  stage: 'done' | 'current' | 'next'
}

/** Past, current and coming steps, from top to bottom. The current step pulses. */
export function Steps({ label, steps }: { label: string; steps: Step[] }) {
  return (
    <ol data-plain aria-label={label}>
      {steps.map(({ key, title, by, note, meaning, stage }) => (
        <li
          key={key}
          className={`${parts.step} ${parts[meaning]} ${stage === 'done' ? '' : parts[stage]}`}
          aria-current={stage === 'current' ? 'step' : undefined}
        >
          <span className={parts.bullet} aria-hidden />
          <div>
            <div className={parts.title}>{title}</div>
            {by && <p className={parts.by}>{by}</p>}
            {note && <p className={parts.note}>{note}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}
