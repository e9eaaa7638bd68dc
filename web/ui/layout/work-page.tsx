import type { ReactNode } from 'react'
import parts from './work-page.module.css'

type WorkPageProps = { help?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A staff page without a list and detail. The header has its title; this has one line of help and the actions. */
export function WorkPage({ help, actions, children }: WorkPageProps) {
  return (
    <div className={parts.scroll}>
      <div className={parts.page}>
        {(help || actions) && (
          <div data-group="lg" data-align="center" data-justify="between">
            <p className={parts.help}>{help}</p>
            {actions && <div data-group="sm">{actions}</div>}
          </div>
        )}
        {children}
      </div>
    </div>
  )
}

type FormSectionProps = { title: string; help?: ReactNode; children: ReactNode }

/** The explanation on the left, the fields on the right; stacked on narrow screens. */
export function FormSection({ title, help, children }: FormSectionProps) {
  return (
    <section className={parts.section} aria-label={title}>
      <div>
        <h2 className={parts.sectionTitle}>{title}</h2>
        {help && <p className={parts.sectionHelp}>{help}</p>}
      </div>
      <div className={parts.fields}>{children}</div>
    </section>
  )
}
