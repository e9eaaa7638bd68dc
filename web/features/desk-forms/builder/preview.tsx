import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../../ui/layout/use-is-phone.ts'
import parts from '../forms.module.css'

type PreviewProps = { definition: FormDefinition; isWhole: boolean; draw: (definition: FormDefinition) => ReactNode }

/** The form as members see it, on a telephone and on a wide page, drawn by what draws it for them. */
export function Preview({ definition, isWhole, draw }: PreviewProps) {
  const { t } = useTranslation()
  // There both would be the same.
  const isPhone = useIsPhone()
  // What cannot be a form is not drawn: the last one that could stays.
  const [drawn, setDrawn] = useState(isWhole ? definition : null)
  useEffect(() => {
    if (isWhole) setDrawn(definition)
  }, [definition, isWhole])
  if (!drawn) return <p className={parts.quiet}>{t('The preview appears once the problems are fixed.')}</p>
  return (
    <>
      <p className={parts.quiet}>{t('Try it out: nothing is sent or kept from here.')}</p>
      <div className={parts.previews}>
        {(isPhone ? [t('Telephone')] : [t('Telephone'), t('Wide page')]).map((label) => (
          <section key={label} aria-label={label}>
            <h3 className={parts.sampleTitle}>{label}</h3>
            <div className={parts.sample}>{draw(drawn)}</div>
          </section>
        ))}
      </div>
    </>
  )
}
