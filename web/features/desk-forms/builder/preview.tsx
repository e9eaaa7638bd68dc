import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useIsPhone } from '../../../ui/layout/use-is-phone.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from '../forms.module.css'

type PreviewProps = { definition: FormDefinition; isWhole: boolean; draw: (definition: FormDefinition) => ReactNode }

/** The form as members see it, in phone and page width, rendered by the same component. */
export function Preview({ definition, isWhole, draw }: PreviewProps) {
  const { t } = useTranslation()
  // On a phone both widths would be the same.
  const isPhone = useIsPhone()
  // While the definition is invalid, the last valid one stays visible.
  const [drawn, setDrawn] = useState(isWhole ? definition : null)
  useEffect(() => {
    if (isWhole) setDrawn(definition)
  }, [definition, isWhole])
  if (!drawn) return <p className={parts.quiet}>{t('The preview appears once the problems are fixed.')}</p>
  return (
    <>
      <p className={parts.quiet}>{t('Try it out: nothing is sent or saved.')}</p>
      <div className={parts.previews}>
        {(isPhone ? [t('Phone')] : [t('Phone'), t('Desktop')]).map((label) => (
          <section key={label} aria-label={label}>
            <h3 className={parts.sampleTitle}>{label}</h3>
            <div className={parts.sample}>{draw(drawn)}</div>
          </section>
        ))}
      </div>
    </>
  )
}
