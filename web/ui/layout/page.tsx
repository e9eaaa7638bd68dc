import type { ComponentProps, ReactNode } from 'react'
import { useEffect } from 'react'
import parts from './page.module.css'

type PageProps = { title: string; help?: ReactNode; actions?: ReactNode; children: ReactNode }

/** Title, an optional line of help, the main action on the right; then the content. */
export function Page({ title, help, actions, children }: PageProps) {
  useEffect(() => {
    const before = document.title
    document.title = `${title} · ${before.split(' · ').at(-1)}`
  }, [title])
  return (
    <div className={parts.page}>
      <header className={parts.header} data-group="lg" data-align="end" data-justify="between">
        <div>
          <h1 className={parts.title} tabIndex={-1}>
            {title}
          </h1>
          {help && <p className={parts.help}>{help}</p>}
        </div>
        {actions && (
          <div className={parts.actions} data-group="sm" data-nowrap data-align="center">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

export function Card({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={`${parts.card} ${className}`} />
}

export function Section({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section data-stack="md" data-shrink aria-label={title}>
      <div className={parts.sectionHeader} data-group="md" data-nowrap data-align="baseline" data-justify="between">
        <h2 className={parts.sectionTitle}>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  )
}
